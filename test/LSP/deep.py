#!/usr/bin/env python3
"""Writes a session with documents that are nested too deeply.

Usage: deep.py

What an editor sends goes to the standard output. Exit status: 0.
"""

import json
import sys


def send(text):
    body = text.encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)


def message(method, params=None, number=None):
    content = {"jsonrpc": "2.0", "method": method}
    if number is not None:
        content["id"] = number
    if params is not None:
        content["params"] = params
    send(json.dumps(content))


def start(name, text):
    document = {"uri": f"test:///{name}", "languageId": "mlir", "version": 1, "text": text}
    message("textDocument/didOpen", {"textDocument": document})


def change(name, version, *changes):
    document = {"uri": f"test:///{name}", "version": version}
    message("textDocument/didChange",
            {"textDocument": document, "contentChanges": list(changes)})


def insert(text, line, character, end):
    where = {"start": {"line": line, "character": character},
             "end": {"line": line, "character": end}}
    return {"range": where, "text": text}


def main():
    message("initialize", {"processId": 1, "rootPath": "/", "capabilities": {}}, 0)
    start("regions.mlir", '"a"() ({' * 20000)
    change("regions.mlir", 2, insert("[", 0, 0, 0))
    message("textDocument/hover", {"textDocument": {"uri": "test:///regions.mlir"},
                                   "position": {"line": 0, "character": 1}}, 1)
    message("textDocument/didClose", {"textDocument": {"uri": "test:///regions.mlir"}})

    start("grows.mlir", "ptx.first")
    change("grows.mlir", 2, insert("[" * 30000, 0, 0, 0))
    change("grows.mlir", 3, insert("ptx.second\n", 0, 30000, 30000))
    # Out of the document, which changes nothing.
    change("grows.mlir", 4, insert("x", 70, 1, 2))
    change("grows.mlir", 5, {"text": "ptx.third"})

    send('{"jsonrpc":"2.0","method":"textDocument/didOpen","params":' + "[" * 200000)
    message("shutdown", None, 2)
    message("exit")


if __name__ == "__main__":
    main()
