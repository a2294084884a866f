#!/usr/bin/env python3
"""Whether two sources in C++ are the same but for comments, spaces, a word and a
constant of it: the solutions of backward attention are each a file of its own, since
candidates are, and differ in `kCausal` and in the names of their kernels.

usage: same_but_for.py WORD FILE OTHER
"""

import re
import sys


def code_of(path, word):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"//[^\n]*", "", file.read())
    text, count = re.subn(rf"(constexpr bool k{word}) = (true|false);", r"\1;", text)
    if count != 1:
        sys.exit(f"{path}: expected one definition of k{word} but found {count}")
    return "".join(text.replace(f"k{word}", "#").replace(word, "").split())


code, other = (code_of(path, sys.argv[1]) for path in sys.argv[2:4])
if code != other:
    at = next((i for i, (a, b) in enumerate(zip(code, other)) if a != b), 0)
    sys.exit(f"they differ: {code[at:at + 60]} and {other[at:at + 60]}")
