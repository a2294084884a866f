#!/usr/bin/env python3
"""Whether we refuse what ptxas refuses: valid PTX with one token changed.

Takes PTX files (default: those of test/ and the toolkit's cuda::ptx
forms, each in a kernel), cuts them into modules of one function, and changes
one token at a time: deleted, doubled, exchanged with its neighbour, or replaced
by another one of the inputs, more often than not one of the same kind that other
statements with this instruction have. Statements are drawn by their instruction,
so that common ones do not crowd out the rest. Prints how often ptxas and
ptxbench-translate agree, and where not, grouped by what the refusing side says.
The same seed and inputs give the same mutations. Exit status: 0 if at least
--bar percent agree; 1 if not; 2 if a tool or an input is not there.
"""

import argparse
import collections
import concurrent.futures
import glob
import os
import random
import re
import sys
import tempfile

import asm_forms
import forms
import oracle

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# A form is tried on these, in this order, until ptxas takes it.
ARCHITECTURES = ("sm_90a", "sm_100a", "sm_120a", "sm_103a", "sm_80")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"|[%$A-Za-z_][\w$]*'
                   r'|\.[A-Za-z_0-9]\w*(?:::\w+)*|0[xfdXFD][0-9A-Fa-f]+'
                   r'|\d+(?:\.\d+)?|::|[^\s]', re.S)


class Unit:
    """A module of one function that ptxas takes."""

    def __init__(self, name, text):
        self.name, self.text = name, text
        self.arch = re.search(r"\.target\s+(sm_\w+)", text)[1]
        self.tokens = [(m.start(), m.end()) for m in TOKEN.finditer(text)
                       if not m[0].startswith(("//", "/*"))]

    def statements(self):
        """(opcode, indices of its tokens) of each statement."""
        found, indices = [], []
        for index, (start, end) in enumerate(self.tokens):
            indices.append(index)
            if self.text[start:end] in ";{}":
                found.append(indices)
                indices = []
        if indices:
            found.append(indices)
        for indices in found:
            words = [self.text[slice(*self.tokens[i])] for i in indices]
            while words and words[0] in ("@", "!") or len(words) > 1 and \
                    words[0].startswith("%"):
                words.pop(0)
            yield "".join(words[:2]) if words else "", indices


def split_module(text):
    """Modules of one function each, with the variables of `text`, and it."""
    text = re.sub(r"//[^\n]*", "", text)
    pieces = re.split(r"(?m)^(?=\.(?:visible|extern|weak|common|entry"
                      r"|func|global|const|shared|section|file)\b)", text)
    pieces = [piece for piece in pieces
              if not re.match(r"\s*\.section", piece)]

    def head_of(piece):
        """Linkage, kind and name of a function; None: something else."""
        match = re.match(r"\s*(\.\w+\s+)??\.(entry|func)\b(?:[^{(]*?\([^)]*\))?"
                         r"\s*([\w$%]+)", piece)
        return match and (match[2], match[3])

    heads = [head_of(piece) for piece in pieces]
    bodies = [i for i, head in enumerate(heads) if head and "{" in pieces[i]]
    if len(bodies) < 2:
        return [text]
    modules = []
    for body in bodies:
        parts = []
        for index, (piece, head) in enumerate(zip(pieces, heads)):
            if not head or index == body or (
                    head[1] == heads[body][1] and index < body):
                parts.append(piece)
            elif head[0] == "func":
                # The others are elsewhere.
                parts.append(re.sub(r"^\s*(\.\w+\s+)??\.func", ".extern .func",
                                    piece.split("{")[0].rstrip(" \t\n;"))
                             + ";\n")
        modules.append("".join(parts))
    return modules + [text]


def read_units(paths, limit):
    """Units of PTX files, none longer than `limit` characters."""
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if not re.search(r"\.target\s+sm_\w+", text):
            continue
        for index, module in enumerate(split_module(text)):
            if len(module) <= limit:
                yield f"{os.path.basename(path)}#{index}", module


def form_units(ptxas, include, work):
    """The toolkit's forms as modules, each for an architecture that has it."""
    bodies = list(dict.fromkeys(
        body for form in forms.collect(
            [os.path.join(include, asm_forms.TOOLKIT_HEADERS)])
        if not form.problem for body in form.variants()))
    tool = oracle.Tool("ptxas", ptxas, work)
    for arch in ARCHITECTURES:
        refused = tool.refused(
            lambda kept: asm_forms.module(
                arch, [b if i in kept else "" for i, b in enumerate(bodies)]),
            len(bodies), arch, asm_forms.FIRST_LINE)
        for index, body in enumerate(bodies):
            if index not in refused:
                yield f"form {body[:60]}", asm_forms.module(arch, [body])
        bodies = [bodies[index] for index in sorted(refused)]


def kind_of(token):
    """Tokens of one kind may stand for each other."""
    if token.startswith("."):
        return "."
    if token[0].isdigit():
        return "0"
    if token[0].isalpha() or token[0] in "%$_":
        return "a"
    return "+"


def mutate(unit, indices, similar, pool, rng):
    """One changed token of a statement, and what was done; None: nothing.

    `similar` has the tokens of all statements with this instruction by kind.
    """
    text, tokens = unit.text, unit.tokens
    index = rng.choice(indices)
    start, end = tokens[index]
    token = text[start:end]
    kind = rng.choice(("delete", "replace", "similar", "similar", "similar",
                       "double", "swap"))
    if kind == "delete":
        changed, what = text[:start] + text[end:], f"'{token}' deleted"
    elif kind in ("replace", "similar"):
        other = rng.choice(similar[kind_of(token)] if kind == "similar"
                           else pool)
        if other == token:
            return None
        changed = text[:start] + other + text[end:]
        what = f"'{token}' -> '{other}'"
    elif kind == "double":
        blank = "" if token.startswith(".") else " "
        changed = text[:end] + blank + token + text[end:]
        what = f"'{token}' doubled"
    else:
        if index + 1 >= len(tokens):
            return None
        start2, end2 = tokens[index + 1]
        other = text[start2:end2]
        if other == token:
            return None
        changed = (text[:start] + other + text[end:start2] + token
                   + text[end2:])
        what = f"'{token}' and '{other}' exchanged"
    line = changed[changed.rfind("\n", 0, start) + 1:]
    shift = max(0, start - changed.rfind("\n", 0, start) - 1 - 110)
    return changed, what, line.split("\n")[0][shift:shift + 180]


def judge(task):
    """Both verdicts on one text: whether it is taken, and what was said."""
    tools, arch, text, work = task
    verdicts = []
    for name, command in zip(("ptxas", "ours"), tools):
        tool = oracle.Tool(name, command, work)
        try:
            status, said = tool.run(text, arch, timeout=60)
        except Exception as error:  # a tool that hangs is a finding
            status, said = -1, f"no answer: {error}"
        if name == "ours" and status not in (0, 2):
            said = f"crash: status {status}: {said[-200:]}"
        pattern = (oracle.PTXAS_ERROR if name == "ptxas" else oracle.OUR_ERROR)
        match = pattern.search(said)
        message = match[2] if match else said.strip().split("\n")[0]
        verdicts.append((status == 0, message))
    return verdicts


def cause(message):
    """A message without what is particular to one case."""
    message = re.sub(r"'[^']*'", "'…'", message)
    return re.sub(r"\d+", "#", message)[:110]


def report(kind, cases, shown):
    groups = collections.defaultdict(list)
    for case in cases:
        groups[cause(case[0])].append(case)
    print(f"{kind}: {len(cases)} in {len(groups)} groups")
    for key, members in sorted(groups.items(), key=lambda g: -len(g[1])):
        print(f"  {len(members)} x {key}")
        for message, unit, what, line in members[:shown]:
            print(f"      {what} in {unit}: {line}\n        {message[:200]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--translate", default="ptxbench-translate",
                        help="for example build/bin/ptxbench-translate")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--include", help="the toolkit's include folder "
                        "(default: the one beside ptxas)")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bar", type=float, default=97.0)
    parser.add_argument("--limit", type=int, default=6000,
                        help="longest module in characters (default 6000)")
    parser.add_argument("--show", type=int, default=3,
                        help="cases of a group to print (default 3)")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    tools = oracle.find_tools(args.ptxas, args.translate)
    if not tools:
        return 2
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        if args.files:
            candidates = list(read_units(args.files, args.limit))
        else:
            tests = os.path.join(ROOT, "test")
            include = args.include or forms.include_folder(tools[0])
            candidates = list(read_units(
                sorted(glob.glob(os.path.join(tests, "**", "*.ptx"),
                                 recursive=True)), args.limit))
            candidates += form_units(tools[0], include, work)
        units = [Unit(name, text) for name, text in candidates]
        verdicts = list(pool.map(
            judge, [(tools, u.arch, u.text, work) for u in units],
            chunksize=8))
        before = len(units)
        refused = [(v[1][1], u.name, "unchanged", "") for u, v
                   in zip(units, verdicts) if v[0][0] and not v[1][0]]
        units = [u for u, v in zip(units, verdicts) if v[0][0] and v[1][0]]
        if not units:
            print("mutations.py: no input that both take", file=sys.stderr)
            return 2
        print(f"peer: ptxas {oracle.version_of(tools[0])}\n"
              f"{before} modules, of which both take {len(units)}; "
              f"seed {args.seed}")
        report("unchanged inputs that ptxas alone takes", refused, args.show)
        by_opcode = collections.defaultdict(list)
        similar = collections.defaultdict(
            lambda: collections.defaultdict(set))
        words = set()
        for unit in units:
            for opcode, indices in unit.statements():
                by_opcode[opcode].append((unit, indices))
                for index in indices:
                    word = unit.text[slice(*unit.tokens[index])]
                    similar[opcode][kind_of(word)].add(word)
                    words.add(word)
        words = sorted(words)
        similar = {opcode: {kind: sorted(some) for kind, some in kinds.items()}
                   for opcode, kinds in similar.items()}
        opcodes = sorted(by_opcode)
        mutants, seen = [], set()
        while len(mutants) < args.count:
            opcode = rng.choice(opcodes)
            unit, indices = rng.choice(by_opcode[opcode])
            made = mutate(unit, indices, similar[opcode], words, rng)
            if made and made[0] not in seen:
                seen.add(made[0])
                mutants.append((unit, *made))
        verdicts = pool.map(
            judge, [(tools, m[0].arch, m[1], work) for m in mutants],
            chunksize=16)
        agree, taken, wrong = 0, 0, ([], [])
        for (unit, _, what, line), (theirs, ours) in zip(mutants, verdicts):
            agree += theirs[0] == ours[0]
            taken += theirs[0]
            if theirs[0] != ours[0]:
                said = theirs[1] if ours[0] else ours[1]
                wrong[ours[0]].append((said, unit.name, what, line))
    share = 100 * agree / len(mutants)
    print(f"{len(mutants)} mutations of {len(opcodes)} instructions and "
          f"directives, ptxas takes {taken}; we agree on {agree}: "
          f"{share:.2f} %")
    report("refused by us alone", wrong[False], args.show)
    report("taken by us alone", wrong[True], args.show)
    return 0 if share >= args.bar else 1


if __name__ == "__main__":
    sys.exit(main())
