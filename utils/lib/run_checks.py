#!/usr/bin/env python3
"""Runs every check of a built tree and sums them in one closing line.

Three kinds of checks are run and counted together:
  tree   every shell and Python script parses; every C++ file is laid out as
         clang-format does it (one check a file)
  lit    the tests under test/ (XFAIL counts as passed, XPASS as failed)
  unit   every GoogleTest case of the programs in test/unit-tests.txt; a program
         that crashes, or leaves no result, is one more failure

Failures are printed in full. The last line is `N passed, M failed, K skipped`.
Exit status: 0 all passed, 1 something failed or no test of a kind that has
tests ran at all.
"""

import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

# Enough for the slowest test on a slow machine; a test that takes longer hangs.
LIT_TEST_SECONDS = 600
UNIT_PROGRAM_SECONDS = 900


class Sum:
    """Counts of one kind of checks, and the text of its failures."""

    def __init__(self, kind):
        self.kind = kind
        self.passed = self.failed = self.skipped = 0

    def passes(self, count=1):
        self.passed += count

    def skips(self, count=1):
        self.skipped += count

    def fails(self, name, output=""):
        self.failed += 1
        print(f"FAIL: {self.kind}: {name}")
        for line in output.rstrip().splitlines():
            print(f"  | {line}")

    def ran(self):
        return self.passed + self.failed + self.skipped


def run(command, **options):
    """The exit status and the joined output of a command."""
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        **options,
    )
    return done.returncode, done.stdout


# ===----------------------------------------------------------------------=== #
# The tree
# ===----------------------------------------------------------------------=== #


def source_files(source, *suffixes):
    """Files of the repository that end so, whether committed or about to be."""
    try:
        status, listed = run(
            ["git", "-C", source, "ls-files", "-z", "--cached", "--others",
             "--exclude-standard"]
        )  # fmt: skip
    except OSError:
        status = 1
    if status == 0:
        files = listed.split("\0")
    else:
        # No git, or an unpacked archive.
        files = []
        for folder, folders, names in os.walk(source):
            folders[:] = [
                f for f in folders if f != ".git" and not f.startswith("build")
            ]
            for name in names:
                path = os.path.join(folder, name)
                files.append(os.path.relpath(path, source))
    return sorted(
        {
            name
            for name in files
            if name.endswith(suffixes)
            and os.path.isfile(os.path.join(source, name))
        }
    )


def check_tree(source):
    result = Sum("tree")
    for script in source_files(source, ".sh", ".ci/run"):
        status, output = run(["bash", "-n", script], cwd=source)
        if status == 0:
            result.passes()
        else:
            result.fails(f"bash -n {script}", output)
    for script in source_files(source, ".py"):
        try:
            with open(os.path.join(source, script), encoding="utf-8") as file:
                compile(file.read(), script, "exec")
            result.passes()
        except SyntaxError as error:
            result.fails(script, str(error))
    sources = source_files(source, ".cpp", ".h")
    formatter = shutil.which("clang-format")
    if not formatter:
        print(f"tree: no clang-format here: {len(sources)} files not checked")
        result.skips(len(sources))
        return result
    for name in sources:
        status, output = run(
            [formatter, "--dry-run", "--Werror", "--style=file", name],
            cwd=source,
        )
        if status == 0:
            result.passes()
        else:
            result.fails(f"clang-format -i {name}", output)
    return result


# ===----------------------------------------------------------------------=== #
# lit
# ===----------------------------------------------------------------------=== #


def check_lit(lit, build, arguments, jobs):
    result = Sum("lit")
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "lit.json")
        command = [lit, "--quiet", "--output", report, f"-j{jobs}"]
        status, _ = run(["/usr/bin/python3", "-c", "import psutil"])
        if status == 0:
            command.append(f"--timeout={LIT_TEST_SECONDS}")
        command += [*arguments, os.path.join(build, "test")]
        status, output = run(command)
        try:
            with open(report, encoding="utf-8") as file:
                tests = json.load(file)["tests"]
        except (OSError, ValueError, KeyError) as error:
            result.fails(f"lit left no result ({error})", output)
            return result
    for test in sorted(tests, key=lambda test: test["name"]):
        code = test["code"]
        if code in ("PASS", "XFAIL", "FLAKYPASS"):
            result.passes()
        elif code in ("UNSUPPORTED", "EXCLUDED"):
            result.skips()
        else:
            result.fails(f"{test['name']} ({code})", test.get("output", ""))
    # lit's own complaints, such as a test without a RUN line, have no case.
    if status != 0 and not result.failed:
        result.fails(f"lit ended with status {status}", output)
    return result


# ===----------------------------------------------------------------------=== #
# Unit tests
# ===----------------------------------------------------------------------=== #


def run_unit(program):
    """(program, status, output, GoogleTest's result or None)."""
    name = os.path.basename(program)
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "result.json")
        try:
            status, output = run(
                [program, f"--gtest_output=json:{report}", "--gtest_brief=1"],
                cwd=scratch,
                timeout=UNIT_PROGRAM_SECONDS,
            )
        except OSError as error:
            return name, -1, str(error), None
        except subprocess.TimeoutExpired as error:
            text = error.stdout or b""
            if isinstance(text, bytes):
                text = text.decode(errors="replace")
            text += f"\nended after {UNIT_PROGRAM_SECONDS} s"
            return name, -1, text, None
        try:
            with open(report, encoding="utf-8") as file:
                return name, status, output, json.load(file)
        except (OSError, ValueError):
            return name, status, output, None


def count_unit(result, name, status, output, report):
    failed_before = result.failed
    for suite in (report or {}).get("testsuites", []):
        for case in suite.get("testsuite", []):
            label = f"{name}: {suite['name']}.{case['name']}"
            if case.get("failures"):
                text = "\n".join(f.get("failure", "") for f in case["failures"])
                result.fails(label, text)
            elif case.get("status") == "NOTRUN" or case.get("result") in (
                "SKIPPED",
                "SUPPRESSED",
            ):
                result.skips()
            else:
                result.passes()
    if report is None:
        result.fails(f"{name}: ended with status {status}, no result", output)
    elif status != 0 and result.failed == failed_before:
        result.fails(f"{name}: ended with status {status}", output)


def check_unit(build, jobs):
    result = Sum("unit")
    path = os.path.join(build, "test", "unit-tests.txt")
    try:
        with open(path, encoding="utf-8") as file:
            programs = file.read().split("\n")
    except OSError as error:
        result.fails(f"the list of unit tests: {error}")
        return result
    programs = [program for program in programs if program]
    if not programs:
        print("unit: no unit test was built (GoogleTest missing)")
        result.skips()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for outcome in pool.map(run_unit, programs):
            count_unit(result, *outcome)
    return result


# ===----------------------------------------------------------------------=== #


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--source", required=True, help="the repository")
    parser.add_argument("--build", required=True, help="the build folder")
    parser.add_argument("--lit", default="/usr/lib/llvm-22/bin/lit")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument(
        "--kinds", default="tree,lit,unit", help="of: tree, lit, unit"
    )
    parser.add_argument(
        "lit_arguments", nargs="*", help="more arguments for lit, after --"
    )
    options = parser.parse_args()

    checks = {
        "tree": lambda: check_tree(options.source),
        "lit": lambda: check_lit(
            options.lit, options.build, options.lit_arguments, options.jobs
        ),
        "unit": lambda: check_unit(options.build, options.jobs),
    }
    kinds = options.kinds.split(",")
    for kind in kinds:
        if kind not in checks:
            parser.error(f"no kind of check is called '{kind}'")

    results = []
    for kind in kinds:
        result = checks[kind]()
        if not result.ran():
            result.fails("not one test ran")
        print(
            f"{kind}: {result.passed} passed, {result.failed} failed, "
            f"{result.skipped} skipped",
            flush=True,
        )
        results.append(result)

    passed = sum(result.passed for result in results)
    failed = sum(result.failed for result in results)
    skipped = sum(result.skipped for result in results)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
