#!/usr/bin/env python3
"""Runs a tool on input that it has to refuse, and prints what it says.

The command is run with `-o FILE`, once where FILE does not exist and once where
it does. Exit status: 0 if the tool ended with status 2 (--status), wrote nothing
to its standard output, said something, and left FILE absent, or as it was.
"""

import argparse
import os
import subprocess
import sys
import tempfile

OLD = "what stood there before\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--status", type=int, default=2)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    complaints = []
    said = ""
    with tempfile.TemporaryDirectory() as work:
        for existing in (False, True):
            out = os.path.join(work, "out")
            if existing:
                with open(out, "w", encoding="utf-8") as file:
                    file.write(OLD)
            done = subprocess.run([*args.command, "-o", out],
                                  capture_output=True, timeout=60)
            said = done.stderr.decode(errors="replace")
            if done.returncode != args.status:
                complaints.append(f"status {done.returncode}, "
                                  f"not {args.status}")
            if done.stdout:
                complaints.append("something on the standard output")
            if not said:
                complaints.append("no message")
            if os.path.exists(out):
                with open(out, encoding="utf-8", errors="replace") as file:
                    if not existing or file.read() != OLD:
                        complaints.append("a file left behind")
                os.remove(out)
            elif existing:
                complaints.append("the file that was there is gone")
    print(said, end="")
    for complaint in complaints:
        print(f"refused.py: {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
