#!/usr/bin/env python3
# ===- fuzz_lowering.py - Verdicts before and after lowering ---------------===#
#
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares verdicts on random kernels of gpu, nvvm and scf with those on their PTX.

Each seed gives one kernel: target operations behind guards made of thread and
block indices, of lanes and warps, of constants, of an election and of a
parameter, in branches and loops. Where LLVM knows the range of an index it
removes what cannot be reached, so that some indices come from inline assembly,
of which it knows nothing.

Half of the kernels have what ends threads, or keeps them: loops without end,
with a condition that holds for some threads; `exit`, `trap` and such loops in
inline assembly, with side effects and without; trap intrinsics; calls of
functions with `ret` in their text, which LLVM may inline. Some operations have
predicates, made of numbers that may be poison. What is executed is promised of
launches that end; so traps, and loops that stay, are those of one value of the
parameter.

Each target operation has a line of its own, by which it is found again in the
PTX: not at all, once, or several times. The two sides contradict each other if

  * the operation is never executed, and an instruction of it is;
  * the operation is executed, and all its instructions never are, or there is
    none;
  * both are known to be executed by so many threads of a CTA, and the numbers
    differ. To LLVM mbarrier.init and mbarrier.inval are stores, of which it may
    leave the last one; their numbers are not compared.

Then the kernel is printed, and the exit status is 1. With `--plain` the text
that is made without locations is compared, too: it must have the same
instructions.

usage: fuzz_lowering.py [--first N] [--count N] [--batch N] [--plain] [--show N]
"""

import argparse
import collections
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

REMARK = re.compile(
    r":(?P<line>\d+):\d+: remark: (?P<name>\S+): "
    r"(?P<reach>never|all|some|maybe)(?: \((?P<scope>\w+)\))?:"
    r"(?P<rest>.*)$"
)
THREADS = re.compile(r"\[per CTA:.*?(\d+) by threads\]$")

# The operands are those that every kernel has.
TARGETS = [
    "nvvm.wgmma.fence.aligned",
    "nvvm.wgmma.commit.group.sync.aligned",
    "nvvm.wgmma.wait.group.sync.aligned 0",
    "nvvm.mbarrier.init %bar, %i1 : !llvm.ptr<3>, i32",
    "nvvm.mbarrier.inval %bar : !llvm.ptr<3>",
    "nvvm.mbarrier.arrive.expect_tx %bar, %i1 : !llvm.ptr<3>, i32",
    "nvvm.cp.async.commit.group",
    "nvvm.cp.async.wait.group 0",
    "nvvm.cp.async.bulk.commit.group",
    "nvvm.cp.async.bulk.wait_group 0",
    "nvvm.cluster.arrive",
    "nvvm.cluster.wait",
    "nvvm.setmaxregister increase 64",
    "nvvm.fence.mbarrier.init",
]
PREDICATES = ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sge"]
CONSTANTS = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 96, 127, 128,
             129, 160, 255, 256, 511, 512, 1023, 1024, 2048]
BLOCKS = [None, None, (1, 1, 1), (32, 1, 1), (64, 1, 1), (128, 1, 1),
          (160, 1, 1), (256, 1, 1), (32, 4, 1), (8, 4, 2)]


class Kernel:
    """One kernel, written line by line."""

    def __init__(self, seed, random_source):
        self.seed, self.random = seed, random_source
        self.lines, self.number, self.depth = [], 0, 2
        self.has_ends = random_source.random() < 0.5
        self.traps = random_source.random() < 0.3
        self.numbers, self.conditions = [], []

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def name(self):
        self.number += 1
        return f"%v{self.number}"

    def define(self, text):
        name = self.name()
        self.emit(f"{name} = {text}")
        return name

    def constant(self, value=None):
        if value is None:
            value = self.random.choice(CONSTANTS)
        return self.define(f"arith.constant {value} : i32")

    def index(self):
        """An index of the launch, as an i32."""
        kind = self.random.randrange(8)
        axis = self.random.choice("xxxxyz")
        if kind < 2:
            wide = self.define(f"gpu.thread_id {axis}")
            return self.define(f"arith.index_cast {wide} : index to i32")
        if kind < 4:
            return self.define(f"nvvm.read.ptx.sreg.tid.{axis} : i32")
        if kind == 4:
            return self.define(
                f'llvm.inline_asm has_side_effects "mov.u32 $0, %tid.{axis};", '
                '"=r" : () -> i32')
        if kind == 5:
            wide = self.define(f"gpu.block_id {axis}")
            return self.define(f"arith.index_cast {wide} : index to i32")
        if kind == 6:
            return self.define("nvvm.read.ptx.sreg.laneid : i32")
        return self.define(
            f'llvm.inline_asm "mov.u32 $0, %ctaid.{axis};", "=r" : () -> i32')

    def value(self):
        if self.numbers and self.random.random() < 0.6:
            return self.random.choice(self.numbers)
        if self.random.random() < 0.1:
            return "%n"
        return self.index()

    def arithmetic(self):
        kind = self.random.randrange(9)
        left = self.value()
        if kind < 3:
            right = self.constant()
            op = self.random.choice(["addi", "subi", "andi", "ori", "xori"])
        elif kind < 5:
            right = self.constant(self.random.choice([2, 4, 5, 8, 32, 64]))
            op = self.random.choice(["divui", "remui"])
        elif kind < 7:
            right = self.constant(self.random.choice([1, 2, 3, 5, 7]))
            op = self.random.choice(["shrui", "shli"])
        elif kind == 7:
            right, op = self.constant(), "muli"
        else:
            right = self.value()
            op = self.random.choice(["addi", "minui", "maxui", "andi"])
        self.numbers.append(self.define(f"arith.{op} {left}, {right} : i32"))

    def condition(self):
        kind = self.random.randrange(12)
        if kind == 0 and self.conditions:
            return self.random.choice(self.conditions)
        if kind == 1:
            return self.define("nvvm.elect.sync -> i1")
        if kind == 2 and len(self.conditions) > 1:
            left, right = self.random.sample(self.conditions, 2)
            op = self.random.choice(["andi", "ori", "xori"])
            condition = self.define(f"arith.{op} {left}, {right} : i1")
        elif kind == 3:
            bool_value = self.random.choice(["true", "false"])
            condition = self.define(f"arith.constant {bool_value}")
        else:
            right = self.constant() if kind < 10 else self.value()
            left = self.value()
            predicate = self.random.choice(PREDICATES)
            condition = self.define(
                f"arith.cmpi {predicate}, {left}, {right} : i32")
        self.conditions.append(condition)
        return condition

    def target(self):
        if self.random.random() < 0.9:
            self.emit(self.random.choice(TARGETS))
            return
        condition = self.condition()
        if self.random.random() < 0.5:
            # May be poison, which is no condition for a branch.
            left, right, limit = self.value(), self.constant(), self.constant()
            op = self.random.choice(["addi", "subi", "muli", "shli"])
            flag = self.random.choice(["nsw", "nuw"])
            wrapped = self.define(
                f"arith.{op} {left}, {right} overflow<{flag}> : i32")
            predicate = self.random.choice(PREDICATES)
            condition = self.define(
                f"arith.cmpi {predicate}, {wrapped}, {limit} : i32")
        self.emit("nvvm.mbarrier.arrive.expect_tx %bar, %i1, predicate = "
                  f"{condition} : !llvm.ptr<3>, i32, i1")

    def rarely(self, predicate="eq"):
        """True of one value of the parameter, or of all others."""
        return self.define(
            f"arith.cmpi {predicate}, %n, {self.constant()} : i32")

    def end(self):
        """What ends threads, or keeps them for ever."""
        kind = self.random.randrange(6)
        if kind == 0:
            condition = (self.define("arith.constant true")
                         if self.random.random() < 0.5 else self.condition())
            self.emit("scf.while : () -> () {")
            self.emit(f"  scf.condition({condition})")
            self.emit("} do {")
            self.emit("  scf.yield")
            self.emit("}")
            return
        if kind == 1:
            condition = self.rarely("ne") if self.traps else self.condition()
            self.emit(f"llvm.call @leave{self.seed}({condition}) : (i1) -> ()")
            return
        if kind == 2:
            trap = self.random.choice([
                "llvm.intr.trap",
                '"llvm.intr.ubsantrap"() <{failureKind = 1 : i8}> : () -> ()'])
            self.emit(f"scf.if {self.rarely()} {{")
            self.emit("  " + trap)
            self.emit("}")
            return
        effects = self.random.choice(["", "has_side_effects "])
        text = self.random.choice([
            "@$0 exit;", "@$0 trap;", "here${:uid}: @$0 bra here${:uid};"])
        stays = effects and "exit" not in text
        condition = self.rarely() if stays else self.condition()
        self.emit(f'llvm.inline_asm {effects}"{text}", "b" {condition} '
                  ": (i1) -> ()")

    def function(self):
        """One that leaves its caller, where LLVM inlines it."""
        name = f"leave{self.seed}"
        inner = self.random.random() < 0.5
        self.lines.append(f"  llvm.func @{name}(%p: i1) {{")
        self.emit(f"llvm.call @inner{self.seed}(%p) : (i1) -> ()" if inner else
                  'llvm.inline_asm has_side_effects "@$0 ret;", "b" %p '
                  ": (i1) -> ()")
        if self.traps:
            self.emit("llvm.intr.trap")
        self.emit("llvm.return")
        self.lines.append("  }")
        if not inner:
            return
        self.lines.append(f"  llvm.func @inner{self.seed}(%p: i1) {{")
        text = self.random.choice(["ret;", "@$0 ret;", "@$0 exit;"])
        self.emit(f'llvm.inline_asm has_side_effects "{text}", "b" %p '
                  ": (i1) -> ()")
        self.emit("llvm.return")
        self.lines.append("  }")

    def block(self, statements):
        """What is in braces; names end with it."""
        saved = list(self.numbers), list(self.conditions)
        self.depth += 1
        for _ in range(statements):
            self.statement()
        self.depth -= 1
        self.numbers, self.conditions = saved

    def statement(self):
        if self.has_ends and self.random.random() < 0.12:
            self.end()
            return
        kind = self.random.randrange(10)
        if self.depth > 5:
            kind %= 5
        if kind < 3:
            self.target()
        elif kind < 5:
            self.arithmetic()
        elif kind < 8:
            self.emit(f"scf.if {self.condition()} {{")
            self.block(self.random.randrange(1, 4))
            if self.random.random() < 0.5:
                self.emit("} else {")
                self.block(self.random.randrange(1, 4))
            self.emit("}")
        else:
            first = self.constant(self.random.choice([0, 0, 0, 1, 4]))
            end = (self.constant(self.random.choice([0, 1, 2, 4, 8, 100]))
                   if self.random.random() < 0.7 else self.value())
            step = self.constant(self.random.choice([1, 1, 2, 3]))
            name = self.name()
            unsigned = self.random.choice(["", "unsigned "])
            self.emit(f"scf.for {unsigned}{name} = {first} to {end} step {step} "
                      ": i32 {")
            kept = list(self.numbers)
            self.numbers.append(name)
            self.block(self.random.randrange(1, 3))
            self.numbers = kept
            self.emit("}")

    def write(self):
        size = self.random.choice(BLOCKS)
        known = (f" attributes {{known_block_size = array<i32: "
                 f"{size[0]}, {size[1]}, {size[2]}>}}" if size else "")
        if self.has_ends:
            self.function()
        self.lines.append(f"  gpu.func @k{self.seed}(%bar: !llvm.ptr<3>, %n: i32) "
                          f"kernel{known} {{")
        self.emit("%i1 = arith.constant 1 : i32")
        for _ in range(self.random.randrange(3, 9)):
            self.statement()
        self.target()
        self.emit("gpu.return")
        self.lines.append("  }")
        return self.lines


def make_module(seeds):
    """The text of a module, and the first line of each kernel."""
    lines, starts = ["gpu.module @kernels {"], {}
    for seed in seeds:
        starts[seed] = len(lines) + 1
        lines += Kernel(seed, random.Random(seed)).write()
    return "\n".join(lines + ["}"]) + "\n", starts


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nends with {done.returncode}:\n"
                 f"{done.stderr}")
    return done


def read_verdicts(text):
    """By line: (reach, threads by CTA or None)."""
    verdicts = collections.defaultdict(list)
    for line in text.split("\n"):
        found = REMARK.search(line)
        if found:
            threads = THREADS.search(found["rest"])
            verdicts[int(found["line"])].append(
                (found["reach"], int(threads[1]) if threads else None))
    return verdicts


def contradiction(operation, before, after):
    """What is wrong with the verdicts on one line; None if nothing is."""
    reach, threads = before
    reaches = [verdict[0] for verdict in after]
    if reach == "never" and ("all" in reaches or "some" in reaches):
        return "never before lowering, executed behind it"
    if reach in ("all", "some") and all(one == "never" for one in reaches):
        return f"{reach} before lowering, " + (
            "never behind it" if reaches else "gone behind it")
    if operation.strip().startswith(("nvvm.mbarrier.init", "nvvm.mbarrier.inval")):
        return None
    if len(after) == 1 and threads is not None and after[0][1] is not None:
        if threads != after[0][1] and reach != "never":
            return f"{threads} threads before lowering, {after[0][1]} behind it"
    return None


def instructions(text):
    return [line for line in text.split("\n")
            if not line.startswith(".file") and not line.startswith("\t.loc")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--batch", type=int, default=25,
                        help="kernels in a module")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--show", type=int, help="print the kernel of a seed")
    arguments = parser.parse_args()
    if arguments.show is not None:
        print(make_module([arguments.show])[0], end="")
        return 0

    counts, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernels.mlir"
        seeds = range(arguments.first, arguments.first + arguments.count)
        for start in range(0, len(seeds), arguments.batch):
            batch = seeds[start:start + arguments.batch]
            text, starts = make_module(batch)
            path.write_text(text, encoding="utf-8")
            before = run(["ptxbench-opt", str(path), "-o", "/dev/null",
                          "-ptx-import-inline-asm",
                          "-ptx-reachability=remarks=true"])
            after = run(["ptxbench-opt", str(path), "-o", f"{folder}/plain.mlir",
                         "--pass-pipeline=builtin.module(ptxbench-lower,"
                         "ptx-reachability{remarks=true})"])
            first, second = read_verdicts(before.stderr), read_verdicts(
                after.stderr)
            for line, verdicts in sorted(first.items()):
                # The text of inline assembly is one line with one instruction.
                [verdict] = verdicts
                found = second.get(line, [])
                counts[verdict[0], len(found)] += 1
                operation = text.splitlines()[line - 1]
                why = contradiction(operation, verdict, found)
                if not why:
                    continue
                wrong += 1
                seed = max(s for s in batch if starts[s] <= line)
                print(f"seed {seed}, line {line - starts[seed] + 2} of --show: "
                      f"{why}\n{operation}")
            if arguments.plain:
                with_places = run(["ptxbench-translate", "--export-ptx",
                                   f"{folder}/plain.mlir"]).stdout
                run(["ptxbench-opt", str(path), "-o", f"{folder}/plain.mlir",
                     "--pass-pipeline=builtin.module("
                     "ptxbench-lower{locations=false})"])
                without = run(["ptxbench-translate", "--export-ptx",
                               f"{folder}/plain.mlir"]).stdout
                if instructions(with_places) != instructions(without):
                    wrong += 1
                    print(f"seeds {batch[0]} to {batch[-1]}: locations change "
                          "the instructions")
    total = collections.Counter()
    for (reach, found), count in counts.items():
        total[reach] += count
        total["gone" if not found else "kept"] += count
    print(f"{arguments.count} kernels, {sum(counts.values())} operations:",
          ", ".join(f"{total[name]} {name}" for name in
                    ("never", "all", "some", "maybe", "gone", "kept")))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
