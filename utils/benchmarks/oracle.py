"""Asks ptxas and our parser what they think of PTX text.

Both print the line of each error, so many independent pieces can be asked about
in one run: what is refused is taken out and the rest asked again, until a tool
has nothing more to say.
"""

import os
import re
import shutil
import subprocess
import sys

PTXAS_ERROR = re.compile(r"line (\d+); (?:error|fatal)\s*: (.*)")
OUR_ERROR = re.compile(r":(\d+):\d+: error: (.*)")


class Tool:
    """One of the two, by its command."""

    def __init__(self, name, command, work):
        self.name, self.command = name, command
        self.path = os.path.join(work, f"{name}-{os.getpid()}.ptx")
        self.is_ptxas = name == "ptxas"

    def run(self, text, arch, timeout=600):
        """Exit status and messages for a file.

        ptxas compiles without linking, so that a function may be elsewhere.
        """
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)
        arguments = (["-c", "-O0", "-arch=" + arch] if self.is_ptxas else
                     ["--import-ptx", "--max-errors=1000000"])
        done = subprocess.run(
            [self.command, *arguments, self.path, "-o", os.devnull],
            capture_output=True, text=True, errors="replace", timeout=timeout)
        return done.returncode, done.stderr

    def errors(self, messages):
        """The first message for each line."""
        found = {}
        pattern = PTXAS_ERROR if self.is_ptxas else OUR_ERROR
        for match in pattern.finditer(messages):
            found.setdefault(int(match[1]), match[2])
        return found

    def refused(self, make_text, count, arch, first_line):
        """Message by index for those of `count` pieces that are refused.

        `make_text(kept)` writes the file with piece `i` on line
        `first_line + i`, or an empty line where `i` is not in `kept`.
        """
        kept, refused = set(range(count)), {}
        while kept:
            status, messages = self.run(make_text(kept), arch)
            if status == 0:
                break
            errors = {line - first_line: text for line, text
                      in self.errors(messages).items()
                      if line - first_line in kept}
            if not errors:
                # No line is named: look for the pieces one by one.
                for index in sorted(kept):
                    status, alone = self.run(make_text({index}), arch)
                    if status != 0:
                        errors[index] = (alone.strip().split("\n") or ["?"])[0]
                if not errors:
                    sys.exit(f"{self.name} refuses pieces only together: "
                             f"{messages[:500]}")
            refused.update(errors)
            kept -= errors.keys()
        return refused


def version_of(ptxas):
    """The release of ptxas, for the record."""
    said = subprocess.run([ptxas, "--version"], capture_output=True,
                          text=True).stdout
    match = re.search(r"release [^\n]*", said)
    return match[0] if match else "of unknown release"


def find_tools(ptxas, translate):
    """Their paths, or None and a message if one is not there."""
    found = [shutil.which(command) for command in (ptxas, translate)]
    for command, path in zip((ptxas, translate), found):
        if not path:
            print(f"{command} is not there", file=sys.stderr)
            return None
    return found
