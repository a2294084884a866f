#!/usr/bin/env python3
"""Compares the verdicts on a module of MLIR with those on the PTX made of it.

Usage: compare_lowered.py MODULE-REMARKS PTX-REMARKS MINIMUM

Both files are what `-ptx-reachability="remarks=true"` said. Operations and
instructions are brought to one name; verdict, scope and counts by threads have
to be equal for each name. Counts by warps are not compared: LLVM's instructions
may have another form. At least MINIMUM verdicts have to be equal. Exit status 0:
they are; 1: they differ, and how is printed.
"""

import collections
import re
import sys

REMARK = re.compile(
    r"remark: (?P<name>\S+): (?P<reach>never|all|some|maybe)(?: \((?P<scope>\w+)\))?:"
    r".*?(?:, | )?(?:(?P<threads>\d+) by threads\])?$"
)

# The longest that a name begins with counts.
NAMES = {
    "nvvm.elect.sync": "elect.sync",
    "nvvm.fence.mbarrier.init": "fence.mbarrier_init",
    "nvvm.mbarrier.init": "mbarrier.init",
    "nvvm.mbarrier.inval": "mbarrier.inval",
    "nvvm.mbarrier.arrive": "mbarrier.arrive",
    "nvvm.wgmma.fence": "wgmma.fence",
    "nvvm.wgmma.commit.group": "wgmma.commit_group",
    "nvvm.wgmma.wait.group": "wgmma.wait_group",
    "nvvm.cp.async.commit.group": "cp.async.commit_group",
    "nvvm.cp.async.wait.group": "cp.async.wait_group",
    "cp.async.bulk": "cp.async.bulk",
}


def name_of(spelling):
    known = [name for name in list(NAMES) + list(NAMES.values())
             if spelling.startswith(name)]
    if not known:
        sys.exit(f"no name for {spelling}")
    best = max(known, key=len)
    return NAMES.get(best, best)


def read(path):
    verdicts = collections.Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            found = REMARK.search(line.rstrip("\n"))
            if found:
                verdicts[name_of(found["name"]), found["reach"], found["scope"],
                         found["threads"]] += 1
    return verdicts


def main():
    before, after = read(sys.argv[1]), read(sys.argv[2])
    for verdict in before - after:
        print("only before lowering:", *verdict)
    for verdict in after - before:
        print("only after lowering:", *verdict)
    equal = sum((before & after).values())
    print(equal, "verdicts are equal:",
          ", ".join(sorted({verdict[1] for verdict in before & after})))
    return 0 if before == after and equal >= int(sys.argv[3]) else 1


if __name__ == "__main__":
    sys.exit(main())
