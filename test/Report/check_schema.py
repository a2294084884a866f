#!/usr/bin/env python3
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks reports against docs/report.schema.json.

usage: check_schema.py [--strict-schema] REPORT...    (`-` is standard input)

Exit status: 0 all fit, 1 one does not (each violation is printed with its
place), 2 bad usage or a file that cannot be read, 77 there is no jsonschema
module. With --strict-schema the schema itself is checked first: every object
in it must forbid unknown fields.
"""

import json
import pathlib
import sys

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs/report.schema.json"


def open_objects(schema, path="#"):
    """Places of the schema where an object allows unknown fields."""
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "additionalProperties" not in schema:
            yield path
        for key, value in schema.items():
            yield from open_objects(value, f"{path}/{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from open_objects(value, f"{path}/{index}")


def main(arguments):
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        print("check_schema.py: no jsonschema module for Draft 2020-12")
        return 77
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    if "--strict-schema" in arguments:
        arguments = [it for it in arguments if it != "--strict-schema"]
        places = list(open_objects(schema))
        if places:
            print("schema allows unknown fields at", *places)
            return 1
    if not arguments:
        print(__doc__)
        return 2
    validator = Draft202012Validator(schema)
    status = 0
    for name in arguments:
        try:
            text = (
                sys.stdin.read()
                if name == "-"
                else pathlib.Path(name).read_text(encoding="utf-8")
            )
            report = json.loads(text)
        except (OSError, ValueError) as error:
            print(f"{name}: {error}")
            return 2
        for error in sorted(validator.iter_errors(report), key=lambda e: e.json_path):
            print(f"{name}: {error.json_path}: {error.message}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
