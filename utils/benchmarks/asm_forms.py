"""Finds the inline assembly of CUDA headers and makes PTX kernels of it.

`find_forms(text)` scans C++ text for `asm` statements: adjacent string literals
are joined, comments between them left out, macros that the same text defines as
strings put in; a statement with preprocessor conditionals in it becomes two, one
for either branch. `Form.variants()` writes the statement as the body of a
kernel, each operand a register of the kind its constraint asks for; an operand
that has to be a constant is tried with several.
"""

import re
from dataclasses import dataclass, field

TOOLKIT_HEADERS = "cccl/cuda/__ptx/instructions/generated"

# What a constraint asks for: the type of the register.
CONSTRAINTS = {"h": ".b16", "r": ".b32", "l": ".b64", "q": ".b128",
               "f": ".f32", "d": ".f64"}
# What a constant may plausibly be; the checks of forms differ.
CONSTANTS = (0, 1, 8, 40, -1)

TOKEN = re.compile(r'^[ \t]*#[^\n]*|//[^\n]*|/\*.*?\*/|R"(\w*)\((?:.|\n)*?\)\1"'
                   r'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\''
                   r'|[A-Za-z_]\w*|::|\d[\w.\']*|[^\s]', re.S | re.M)


@dataclass
class Form:
    """One `asm` statement."""
    file: str
    line: int
    template: str
    constraints: list
    #: Why it cannot be put into a kernel; empty if it can.
    problem: str = ""
    names: list = field(default_factory=list)

    def variants(self):
        """The statement as the text of a block, once for each constant."""
        constants = CONSTANTS if "n" in self.constraints else (0,)
        return list(dict.fromkeys(self.wrap(value) for value in constants))

    def wrap(self, constant):
        declared, spelled = [], []
        for index, constraint in enumerate(self.constraints):
            if constraint == "n":
                spelled.append(str(constant))
                continue
            name = f"%{constraint}_{index}"
            declared.append(f".reg {CONSTRAINTS[constraint]} {name};")
            spelled.append(name)

        def operand(match):
            if match[0] == "%%":
                return "%"
            if match[1] is not None:
                return spelled[self.names.index(match[1])]
            return spelled[int(match[2])]

        text = re.sub(r"%%|%\[(\w+)\]|%(\d+)", operand, self.template)
        text = re.sub(r"//[^\n]*", "", text)
        return " ".join(declared + text.split())


def unquote(literal):
    """The characters that a C++ string literal stands for."""
    if literal.startswith('R"'):
        return literal[literal.index("(") + 1:literal.rindex(")")]
    return literal[1:-1].encode().decode("unicode_escape")


def tokens_of(text):
    """(token, offset) of C++ text, without comments and blanks."""
    for match in TOKEN.finditer(text):
        if not match[0].startswith(("//", "/*")):
            yield match[0], match.start()


def string_macros(text):
    """Macros that stand for string literals."""
    macros = {}
    for name, body in re.findall(
            r'^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+("[^\n]*)$', text, re.M):
        parts = [token for token, _ in tokens_of(body)]
        if all(part.startswith('"') for part in parts):
            macros[name] = "".join(map(unquote, parts))
    return macros


def branches(tokens):
    """The tokens with the first branch of each conditional, and the last."""
    kept = [[], []]
    taken = [[], []]
    for token in tokens:
        directive = re.match(r"\s*#\s*(\w+)", token)
        if not directive:
            for side in (0, 1):
                if all(taken[side]):
                    kept[side].append(token)
        elif directive[1].startswith("if"):
            taken[0].append(True)
            taken[1].append(False)
        elif directive[1].startswith("el") and taken[0]:
            taken[0][-1], taken[1][-1] = False, directive[1] == "else"
        elif directive[1] == "endif" and taken[0]:
            taken[0].pop()
            taken[1].pop()
    return kept if kept[0] != kept[1] else kept[:1]


def split_statement(tokens):
    """The sections of an `asm (…)` at its colons, commas and all."""
    sections, depth = [[]], 0
    for token in tokens:
        if depth == 0 and token in (":", "::"):
            sections.extend([] for _ in token)
            continue
        depth += (token in "([{") - (token in ")]}")
        sections[-1].append(token)
    return sections


def parse_statement(tokens, macros, form):
    """Fills the form from the tokens between the parentheses of `asm`."""
    sections = split_statement(tokens)
    for token in sections[0]:
        if token.startswith(('"', 'R"')):
            form.template += unquote(token)
        elif token in macros:
            form.template += macros[token]
        else:
            form.problem = f"the text has the part {token}"
            return
    for section in sections[1:3]:
        depth = 0
        for index, token in enumerate(section):
            if depth == 0 and token == "[" and index + 2 < len(section):
                form.names.append(section[index + 1])
            elif depth == 0 and token.startswith('"'):
                constraint = unquote(token).lstrip("=+&")
                form.constraints.append(constraint)
                if len(form.names) < len(form.constraints):
                    form.names.append("")
                if constraint != "n" and constraint not in CONSTRAINTS:
                    form.problem = f"the constraint '{constraint}'"
            depth += (token in "([{") - (token in ")]}")
    indices = [int(i) for i in re.findall(r"(?<!%)%(\d+)", form.template)]
    if indices and max(indices) >= len(form.constraints):
        form.problem = f"operand %{max(indices)} is not there"


def find_forms(text, file=""):
    """Every `asm` statement of C++ text that has instructions."""
    macros = string_macros(text.replace("\\\n", " "))
    # The backslashes and the heads of macros go, their bodies stay.
    text = re.sub(r"\\\n", " \n", text)
    text = re.sub(r"^([ \t]*)#([ \t]*define[ \t])", r"\1 \2", text, flags=re.M)
    tokens = list(tokens_of(text))
    forms, index = [], 0
    while index < len(tokens):
        token, offset = tokens[index]
        index += 1
        if token not in ("asm", "__asm__"):
            continue
        while index < len(tokens) and tokens[index][0] in (
                "volatile", "__volatile__"):
            index += 1
        if index >= len(tokens) or tokens[index][0] != "(":
            continue
        depth, body = 1, []
        index += 1
        while depth and index < len(tokens):
            part = tokens[index][0]
            depth += (part == "(") - (part == ")")
            if depth:
                body.append(part)
            index += 1
        for branch in branches(body):
            form = Form(file, text.count("\n", 0, offset) + 1, "", [])
            parse_statement(branch, macros, form)
            if form.problem or form.template.strip():
                forms.append(form)
    return forms


def module(arch, bodies, version="9.0"):
    """PTX with a kernel for each body, body `i` on line `i` + 4."""
    lines = [f".version {version}", f".target {arch}", ".address_size 64"]
    for index, body in enumerate(bodies):
        lines.append(f".entry k{index}() {{ {body} ret; }}" if body else "")
    return "\n".join(lines) + "\n"


FIRST_LINE = 4
