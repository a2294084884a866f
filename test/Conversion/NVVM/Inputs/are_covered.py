"""Says which operations that convert have no case.

usage: are_covered.py COUNTERPARTS.md MODULE...

An operation of nvvm converts if the table says "yes" in the column "to ptx". It
has a case if one of the MODULEs has it. Exit status: 0, or 1 if one is missing,
or if there is a case of an operation that is not in the table.
"""

import re
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = re.findall(r"^\| `(nvvm\.[^`]+)` \|[^|]*\|[^|]*\|[^|]*\| (\w+)",
                          file.read(), re.M)
    converts = {name for name, says in rows if says == "yes"}
    text = ""
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            text += file.read()
    used = set(re.findall(r"\bnvvm(?:\.[a-zA-Z_0-9]+)+", text)) - {"nvvm.kernel"}
    missing = sorted(converts - used)
    # Attributes stand behind `#`.
    unknown = sorted(x for x in used - converts if not re.search("#" + x, text))
    for name in missing:
        print(f"no case of '{name}'")
    for name in unknown:
        print(f"'{name}' has a case, and converts not")
    print(f"{len(converts)} operations convert, {len(converts & used)} have a "
          f"case")
    return 1 if missing or unknown or not converts else 0


if __name__ == "__main__":
    sys.exit(main())
