#!/usr/bin/env python3
"""Writes the messages of a session file as an editor sends them.

Usage: frame.py FILE

Messages of FILE are separated by lines `// -----`; other lines that begin with
`//` are comments. Each message goes to the standard output behind a header with
its length. Exit status: 0.
"""

import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        parts = file.read().split("// -----\n")
    for part in parts:
        lines = [
            line for line in part.splitlines() if not line.startswith("//")
        ]
        message = "\n".join(lines).strip().encode()
        header = f"Content-Length: {len(message)}\r\n\r\n".encode()
        sys.stdout.buffer.write(header + message)


if __name__ == "__main__":
    main()
