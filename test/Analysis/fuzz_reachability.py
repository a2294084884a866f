#!/usr/bin/env python3
# ===- fuzz_reachability.py - Verdicts against brute force -----------------===#
#
# Part of the ptxbench-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares the verdicts of `ptxbench-opt -ptx-reachability` with brute force.

Each seed gives one random kernel of a small subset of PTX: integer arithmetic
in 16, 32 and 64 bits, comparisons, guards, branches forwards and backwards,
`brx.idx`, blocks in any order, a function that is called, `ret`, `exit`,
`trap`, registers without a definition, elections and shuffles of whole warps.
An interpreter here executes it with every thread of a few launches; loads give
random values.

An undefined register has another value at each use. So has what is computed
from it: registers hold *lazy* values then, functions that are called at each
use.

Checked: `never` is not executed; in a launch that ends normally `all` is
executed by every thread, `some` by a thread of every unit of its scope, and
predicted counts are exact. The exit status is 1 if a verdict is wrong; the
program is printed then.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

NUM_REGS, NUM_PREDS = 6, 4
MASK = 0xFFFFFFFF
CONSTANTS = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 255, 256,
             MASK, 0x80000000, 0x7FFFFFFF, MASK - 3]
MAX_STEPS = 400


def signed(value, bits=32):
    """The two's complement number that `bits` bits hold."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def unspecified(_):
    """What division by zero gives: anything."""
    return random.choice([random.getrandbits(32), random.randrange(70)])


def divide(a, b, is_signed, remainder):
    if b == 0 or (is_signed and signed(b) == -1 and a == 0x80000000):
        return unspecified(a)
    if is_signed:
        a, b = signed(a), signed(b)
    quotient = abs(a) // abs(b)
    if (a < 0) != (b < 0):
        quotient = -quotient
    return a - quotient * b if remainder else quotient


def extract(value, pos, length, is_signed):
    pos, length = pos & 255, length & 255
    if length == 0:
        return 0
    if not is_signed:
        return (value >> pos) & ((1 << length) - 1)
    wide = signed(value)
    return signed(wide >> pos, length) if length < 64 else wide >> pos


def insert(field, base, pos, length):
    pos, length = pos & 255, length & 255
    mask = (((1 << length) - 1) << pos) & MASK
    return (base & ~mask) | ((field << pos) & mask)


BINARY = {
    "add.u32": lambda a, b: a + b,
    "sub.u32": lambda a, b: a - b,
    "add.sat.s32": lambda a, b: min(max(signed(a) + signed(b), -2**31),
                                    2**31 - 1),
    "sub.sat.s32": lambda a, b: min(max(signed(a) - signed(b), -2**31),
                                    2**31 - 1),
    "mul.lo.u32": lambda a, b: a * b,
    "mul.lo.s32": lambda a, b: signed(a) * signed(b),
    "mul.hi.u32": lambda a, b: (a * b) >> 32,
    "mul.hi.s32": lambda a, b: (signed(a) * signed(b)) >> 32,
    "and.b32": lambda a, b: a & b,
    "or.b32": lambda a, b: a | b,
    "xor.b32": lambda a, b: a ^ b,
    "shl.b32": lambda a, b: a << b if b < 32 else 0,
    "shr.u32": lambda a, b: a >> b if b < 32 else 0,
    "shr.s32": lambda a, b: signed(a) >> min(b, 31),
    "min.u32": min,
    "max.u32": max,
    "min.s32": lambda a, b: min(signed(a), signed(b)),
    "max.s32": lambda a, b: max(signed(a), signed(b)),
    "div.u32": lambda a, b: divide(a, b, False, False),
    "rem.u32": lambda a, b: divide(a, b, False, True),
    "div.s32": lambda a, b: divide(a, b, True, False),
    "rem.s32": lambda a, b: divide(a, b, True, True),
}
UNARY = {
    "mov.u32": lambda a: a,
    "not.b32": lambda a: ~a,
    "neg.s32": lambda a: -a,
    "abs.s32": lambda a: abs(signed(a)),
    "popc.b32": lambda a: bin(a).count("1"),
    "clz.b32": lambda a: 32 - a.bit_length(),
    "bfind.u32": lambda a: a.bit_length() - 1,
    "cnot.b32": lambda a: int(a == 0),
}
TERNARY = {
    "mad.lo.u32": lambda a, b, c: a * b + c,
    "mad.hi.s32": lambda a, b, c: ((signed(a) * signed(b)) >> 32) + c,
    "bfe.u32": lambda a, b, c: extract(a, b, c, False),
    "bfe.s32": lambda a, b, c: extract(a, b, c, True),
    "shf.l.wrap.b32": lambda a, b, c: ((b << 32 | a) << (c & 31)) >> 32,
    "shf.r.clamp.b32": lambda a, b, c: (b << 32 | a) >> min(c, 32),
}
# Through registers of other widths: what stands between the operand %s and the
# 32-bit result.
CONVERT = {
    ("cvt.u16.u32 %h0, {a};", "cvt.u32.u16 {d}, %h0;"): lambda a: a & 0xFFFF,
    ("cvt.u16.u32 %h0, {a};", "cvt.s32.s16 {d}, %h0;"):
        lambda a: signed(a, 16),
    ("cvt.sat.s16.s32 %h0, {a};", "cvt.s32.s16 {d}, %h0;"):
        lambda a: min(max(signed(a), -2**15), 2**15 - 1),
    ("cvt.sat.u16.s32 %h0, {a};", "cvt.u32.u16 {d}, %h0;"):
        lambda a: min(max(signed(a), 0), 2**16 - 1),
    ("cvt.u16.u32 %h0, {a};", "add.u16 %h0, %h0, 32767;",
     "cvt.u32.u16 {d}, %h0;"): lambda a: (a + 32767) & 0xFFFF,
    ("cvt.s64.s32 %d0, {a};", "shr.u64 %d0, %d0, 3;", "cvt.u32.u64 {d}, %d0;"):
        lambda a: (signed(a) & (2**64 - 1)) >> 3,
    ("mov.b64 %d0, {{{a}, 7}};", "mov.b64 {{{d}, _}}, %d0;"): lambda a: a,
    ("mul.wide.s32 %d0, {a}, -3;", "shr.s64 %d0, %d0, 31;",
     "cvt.u32.u64 {d}, %d0;"): lambda a: (signed(a) * -3) >> 31,
    ("cvt.s8.s32 {d}, {a};",): lambda a: signed(a, 8),
    ("cvt.u8.u32 {d}, {a};",): lambda a: a & 255,
}
COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}
UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
LOGIC = {"and": lambda a, b: a and b, "or": lambda a, b: a or b,
         "xor": lambda a, b: a != b}


class Lazy:
    """A value that is computed anew at each use."""

    def __init__(self, compute, depth):
        self.compute, self.depth = compute, depth


def force(value):
    return value.compute() if isinstance(value, Lazy) else value


def apply(function, *operands):
    """The function of the operands: lazy if one of them is."""
    depth = max((v.depth for v in operands if isinstance(v, Lazy)), default=-1)
    if depth < 0:
        return function(*operands)
    if depth >= 4:
        return function(*map(force, operands))
    return Lazy(lambda: function(*map(force, operands)), depth + 1)


class ThreadEnd(Exception):
    """A thread ends: "exit", "trap", or "endless" when steps run out."""


class Thread:
    """One thread: its special registers, registers and predicates."""

    def __init__(self, special, launch):
        self.special, self.launch = special, launch
        self.steps = 0
        self.frame = ([None] * NUM_REGS, [None] * NUM_PREDS)

    def reg(self, operand):
        """%r<n> is (n,), a constant itself."""
        if not isinstance(operand, tuple):
            return operand
        value = self.frame[0][operand[0]]
        return Lazy(lambda: unspecified(0), 0) if value is None else value

    def pred(self, index):
        value = self.frame[1][index]
        if value is None:
            return Lazy(lambda: random.random() < 0.5, 0)
        return value

    def set(self, bank, index, value, guard):
        if bank == 0:
            value = apply(lambda v: v & MASK, value)
        if guard is not True:
            old = self.reg((index,)) if bank == 0 else self.pred(index)
            value = apply(lambda g, new, old: force(new if g else old),
                          guard, value, old) if isinstance(guard, Lazy) \
                else value if guard else self.frame[bank][index]
        self.frame[bank][index] = value

    def guard(self, guard):
        if guard is None:
            return True
        index, negated = guard
        return apply(lambda p: p != negated, self.pred(index))

    def step(self):
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise ThreadEnd("endless")


class Inst:
    """An instruction: its text without the guard, and what it does."""

    def __init__(self, lines, effect, guard=None, target=None):
        self.lines, self.effect, self.guard = lines, effect, guard
        self.target = target
        self.line = 0

    def run(self, thread, hits):
        thread.step()
        guard = thread.guard(self.guard)
        if self.target is not None:
            if force(guard):
                hits.setdefault(self.line, []).append(thread)
            return
        if self.effect:
            self.effect(thread, guard)


def spell(operand):
    return f"%r{operand[0]}" if isinstance(operand, tuple) else str(operand)


class Generator:
    """Makes one random program."""

    def __init__(self, rng):
        self.rng = rng
        self.function = None
        if rng.random() < 0.4:
            self.function = self.body(rng.randint(2, 4), True)
        self.prefix = self.make_prefix()
        self.entry = self.body(rng.randint(3, 8), False)

    def guard(self, chance):
        if self.rng.random() >= chance:
            return None
        return (self.rng.randrange(NUM_PREDS), self.rng.random() < 0.5)

    def register(self):
        return (self.rng.randrange(NUM_REGS),)

    def operand(self):
        if self.rng.random() < 0.45:
            return self.rng.choice(CONSTANTS)
        return self.register()

    def compute(self, name, function, count, guard, last=None):
        """%r<d> = function(operands); the first operand is a register."""
        rng = self.rng
        d = rng.randrange(NUM_REGS)
        operands = [self.register()] + [self.operand() for _ in range(count - 1)]
        if last is not None and count > 1:
            operands[-1] = rng.choice(last)
        if name.startswith("bfe"):
            # Constant positions and lengths have 8 bits.
            operands = [o & 255 if isinstance(o, int) else o for o in operands]
        text = f"{name} %r{d}, {', '.join(map(spell, operands))};"
        return Inst([text], lambda t, g: t.set(
            0, d, apply(function, *map(t.reg, operands)), g), guard)

    def special(self, guard):
        name = self.rng.choice(["tid.x", "tid.x", "tid.y", "ctaid.x", "ntid.x",
                                "laneid", "nctaid.x"])
        d = self.rng.randrange(NUM_REGS)
        return Inst([f"mov.u32 %r{d}, %{name};"],
                    lambda t, g: t.set(0, d, t.special[name], g), guard)

    def setp(self, guard):
        rng = self.rng
        name = rng.choice(list(COMPARE) + list(UNSIGNED))
        kind = "u32" if name in UNSIGNED else rng.choice(["u32", "s32"])
        compare = COMPARE[UNSIGNED.get(name, name)]
        a, b = self.register(), self.operand()
        p = rng.randrange(NUM_PREDS)
        q = rng.randrange(NUM_PREDS) if rng.random() < 0.25 else p
        logic = rng.choice(list(LOGIC)) if rng.random() < 0.25 else None
        c, negated = rng.randrange(NUM_PREDS), rng.random() < 0.4
        text = f"setp.{name}{'.' + logic if logic else ''}.{kind} %p{p}"
        text += f"|%p{q}" if q != p else ""
        text += f", {spell(a)}, {spell(b)}"
        text += f", {'!' if negated else ''}%p{c}" if logic else ""

        def effect(t, g):
            read = signed if kind == "s32" else lambda v: v
            first = apply(lambda x, y: compare(read(x), read(y)),
                          t.reg(a), t.reg(b))
            second = apply(lambda v: not v, first)
            if logic:
                third = apply(lambda v: v != negated, t.pred(c))
                first = apply(LOGIC[logic], first, third)
                second = apply(LOGIC[logic], second, third)
            t.set(1, p, first, g)
            if q != p:
                t.set(1, q, second, g)

        return Inst([text + ";"], effect, guard)

    def logic(self, guard):
        rng = self.rng
        name = rng.choice(list(LOGIC))
        p, a, b = (rng.randrange(NUM_PREDS) for _ in range(3))
        return Inst([f"{name}.pred %p{p}, %p{a}, %p{b};"],
                    lambda t, g: t.set(
                        1, p, apply(LOGIC[name], t.pred(a), t.pred(b)), g),
                    guard)

    def select(self, guard):
        d, p = self.rng.randrange(NUM_REGS), self.rng.randrange(NUM_PREDS)
        a, b = self.operand(), self.operand()
        return Inst([f"selp.b32 %r{d}, {spell(a)}, {spell(b)}, %p{p};"],
                    lambda t, g: t.set(0, d, apply(
                        lambda x, y, c: x if c else y,
                        t.reg(a), t.reg(b), t.pred(p)), g), guard)

    def convert(self):
        lines, function = self.rng.choice(list(CONVERT.items()))
        d, a = self.rng.randrange(NUM_REGS), self.register()
        return Inst([line.format(d=f"%r{d}", a=spell(a)) for line in lines],
                    lambda t, g: t.set(0, d, apply(function, t.reg(a)), g))

    def insert(self, guard):
        d, a, b = self.rng.randrange(NUM_REGS), self.register(), self.operand()
        pos, length = (min(255, self.rng.choice([0, 1, 5, 31, 32, 40, 256]))
                       for _ in range(2))
        return Inst([f"bfi.b32 %r{d}, {spell(a)}, {spell(b)}, {pos}, {length};"],
                    lambda t, g: t.set(0, d, apply(
                        lambda x, y: insert(x, y, pos, length),
                        t.reg(a), t.reg(b)), g), guard)

    def load(self, is_function, guard):
        d = self.rng.randrange(NUM_REGS)
        if self.rng.random() < 0.5 and not is_function:
            return Inst([f"ld.param.u32 %r{d}, [n];"],
                        lambda t, g: t.set(0, d, t.launch["n"], g), guard)
        return Inst([f"ld.global.u32 %r{d}, [%d1];"],
                    lambda t, g: t.set(0, d, unspecified(0), g), guard)

    def call(self, guard):
        function = self.function
        a, d = self.register(), self.register()

        def effect(thread, guard):
            if not force(guard):
                return
            frame, value = thread.frame, thread.reg(a)
            thread.frame = ([None] * NUM_REGS, [None] * NUM_PREDS)
            thread.frame[0][0] = value
            run_blocks(function, thread, thread.launch["hits"])
            frame[0][d[0]] = thread.reg((1,))
            thread.frame = frame

        return Inst([f"call ({spell(d)}), f, ({spell(a)});"], effect, guard)

    def target(self):
        return Inst(["griddepcontrol.wait;"], None, self.guard(0.5), True)

    def instruction(self, is_function):
        rng, guard = self.rng, self.guard(0.2)
        shifts = [0, 1, 5, 31, 32, 40, 256]
        choices = [
            (12, lambda: self.special(guard)),
            (8, lambda: self.load(is_function, guard)),
            (22, lambda: self.compute(*rng.choice(list(BINARY.items())), 2,
                                      guard)),
            (6, lambda: self.compute(*rng.choice(list(UNARY.items())), 1,
                                     guard)),
            (6, lambda: self.compute(*rng.choice(list(TERNARY.items())), 3,
                                     guard, shifts)),
            (5, self.convert),
            (4, lambda: self.insert(guard)),
            (5, lambda: self.select(guard)),
            (6, lambda: self.logic(guard)),
            (24, lambda: self.setp(guard)),
        ]
        weights = [weight for weight, _ in choices]
        return rng.choices([make for _, make in choices], weights)[0]()

    def make_prefix(self):
        """Straight-line code in which whole warps take part. A shuffle or an
        election stands in for (kind, destination, source)."""
        rng = self.rng
        insts = [Inst([f"mov.u32 %r0, %{rng.choice(['tid.x', 'laneid'])};"],
                      None)]
        name = insts[0].lines[0].split("%")[-1].rstrip(";")
        insts[0].effect = lambda t, g: t.set(0, 0, t.special[name], g)
        for _ in range(rng.randint(0, 2)):
            insts.append(Inst(
                ["shr.u32 %r1, %r0, 5;"],
                lambda t, g: t.set(0, 1, t.reg((0,)) >> 5, g)))
            insts.append(rng.choice([
                ("shfl", "shfl.sync.idx.b32 %r2, %r1, 0, 31, 0xffffffff;"),
                ("elect", "elect.sync _|%p0, 0xffffffff;")]))
        return insts

    def counted_loop(self):
        """A block that is executed a number of times that can be counted."""
        rng = self.rng
        r, p = rng.randrange(NUM_REGS), rng.randrange(NUM_PREDS)
        start, step = rng.choice([0, 1, 5, MASK - 2]), rng.choice([1, 2, 3])
        limit = rng.choice([1, 3, 8, 10])
        name, kind = rng.choice([("lt", "u32"), ("lt", "s32"), ("ne", "u32"),
                                 ("le", "s32")])
        negate = rng.random() < 0.3
        read = signed if kind == "s32" else lambda v: v
        begin = Inst([f"mov.u32 %r{r}, {start};"],
                     lambda t, g: t.set(0, r, start, g))
        advance = Inst([f"add.u32 %r{r}, %r{r}, {step};"],
                       lambda t, g: t.set(0, r, apply(
                           lambda v: v + step, t.reg((r,))), g))
        opposite = {"lt": "ge", "ne": "eq", "le": "gt"}
        compare = COMPARE[opposite[name] if negate else name]
        test = Inst(
            [f"setp.{opposite[name] if negate else name}.{kind} %p{p}, %r{r}, "
             f"{limit};"],
            lambda t, g: t.set(1, p, apply(
                lambda v: compare(read(v), limit), t.reg((r,))), g))
        body = [self.target(), advance]
        if rng.random() < 0.3:
            body.insert(1, self.instruction(True))
        return begin, body + [test], (p, negate)

    def body(self, count, is_function):
        """Blocks: (instructions, terminator). A terminator is
        (kind, guard, destinations)."""
        rng, blocks = self.rng, []
        for index in range(count):
            insts = []
            if index == 0:
                for r in range(NUM_REGS):
                    if rng.random() < 0.8 and not (is_function and r == 0):
                        d = r
                        insts.append(Inst(
                            [f"mov.u32 %r{d}, %tid.x;"],
                            lambda t, g, d=d: t.set(0, d, t.special["tid.x"],
                                                    g)))
            for _ in range(rng.randint(1, 4)):
                insts.append(self.instruction(is_function))
                if rng.random() < 0.5:
                    insts.append(self.target())
                if self.function and not is_function and rng.random() < 0.2:
                    insts.append(self.call(self.guard(0.4)))
            blocks.append((insts, self.terminator(index, count)))
        if rng.random() < 0.4:
            # Behind the first block: destinations move by one.
            begin, loop, guard = self.counted_loop()
            at = rng.randrange(len(blocks))
            moved = [(i, t and (t[0], t[1], [d + (d > at) for d in t[2]]))
                     for i, t in blocks]
            head, term = moved[at]
            loop_blocks = [(head + [begin], None),
                           (loop, ("bra", guard, [at + 1]))]
            if term:
                # The old terminator follows the loop, in a block of its own.
                loop_blocks = [
                    (i, t and (t[0], t[1], [d + (d > at + 1) for d in t[2]]))
                    for i, t in loop_blocks]
                moved = [(i, t and (t[0], t[1], [d + (d > at + 1)
                                                 for d in t[2]]))
                         for i, t in moved]
                term = moved[at][1]
                loop_blocks.append(([], term))
            blocks = moved[:at] + loop_blocks + moved[at + 1:]
        return blocks

    def terminator(self, index, count):
        rng, guard = self.rng, self.guard(1)
        if index == count - 1:
            return ("ret", None, [])
        kind = rng.random()
        if kind < 0.6:
            forward = rng.random() < 0.8
            to = rng.randrange(index + 1, count) if forward \
                else rng.randrange(0, index + 1)
            return ("bra", guard, [to])
        if kind < 0.7:
            return ("bra", None, [rng.randrange(index + 1, count)])
        if kind < 0.76:
            return ("brx", None if rng.random() < 0.5 else guard,
                    [rng.randrange(index + 1, count) for _ in range(3)])
        if kind < 0.84:
            return ("ret", guard, [])
        if kind < 0.9:
            return ("exit", guard, [])
        return ("trap", guard, []) if kind < 0.94 else None


def run_blocks(blocks, thread, hits):
    """Executes until `ret`; the end of a thread is an exception."""
    index = 0
    while index < len(blocks):
        insts, term = blocks[index]
        for inst in insts:
            inst.run(thread, hits)
        thread.step()
        index += 1
        if term is None or not force(thread.guard(term[1])):
            continue
        kind, _, destinations = term
        if kind == "bra":
            index = destinations[0]
        elif kind == "brx":
            value = force(thread.reg((0,))) % 3
            thread.frame[0][0] = value
            index = destinations[value]
        elif kind == "ret":
            return
        else:
            raise ThreadEnd(kind)


class Program:
    """The text of a generated program, and its execution."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.order = random.Random(seed + 1)
        self.parts = Generator(self.rng)
        self.block = self.rng.choice([(32, 1), (33, 1), (40, 1), (64, 1),
                                      (8, 5), (16, 4), (1, 40), (5, 1)])
        self.grid = self.rng.choice([1, 2, 3])
        self.lines = [".version 9.0", ".target sm_90a", ".address_size 64"]
        if self.parts.function:
            self.emit_body(".func (.reg .b32 %r1) f(.reg .b32 %r0)",
                           self.parts.function, [], True)
        self.knows = self.rng.choice(["nothing", "reqntid", "block", "launch"])
        head = ".visible .entry k(.param .u32 n)"
        if self.knows == "reqntid":
            head += f"\n.reqntid {self.block[0]}, {self.block[1]}"
        self.emit_body(head, self.parts.entry, self.parts.prefix, False)
        self.n = self.rng.choice([0, 1, 5, 31, 64, MASK,
                                  self.rng.getrandbits(32)])

    def put(self, line):
        self.lines.append(line)
        return len(self.lines)

    def emit_body(self, head, blocks, prefix, is_function):
        for line in head.split("\n"):
            self.put(line)
        self.put("{")
        first = 2 if is_function else 0
        names = ", ".join(f"%r{i}" for i in range(first, NUM_REGS))
        self.put(f".reg .pred %p<{NUM_PREDS}>; .reg .b32 {names};")
        self.put(".reg .b64 %d<2>; .reg .b16 %h<2>;")
        for inst in prefix:
            for line in inst.lines if isinstance(inst, Inst) else inst[1:]:
                self.put(line)
        label = "f" if is_function else "k"
        # Blocks may stand in any order of the text.
        order = list(range(len(blocks)))
        shuffled = self.order.random() < 0.4
        if shuffled:
            self.order.shuffle(order)
            self.put(f"bra $L_{label}0;")
        for index in order:
            insts, term = blocks[index]
            self.put(f"$L_{label}{index}:")
            for inst in insts:
                for line in inst.lines:
                    inst.line = self.put(self.guard(inst.guard) + line)
            kind, guard, destinations = term or (None, None, [])
            names = [f"$L_{label}{d}" for d in destinations]
            if kind == "brx":
                # The index is in range, as it has to be.
                self.put(self.guard(guard) + "rem.u32 %r0, %r0, 3;")
                self.put(f"$T_{label}{index}: .branchtargets "
                         f"{', '.join(names)};")
                text = f"brx.idx %r0, $T_{label}{index};"
            else:
                text = " ".join([kind or ""] + names) + ";"
            if kind:
                self.put(self.guard(guard) + text)
            if shuffled and (guard or not kind):
                self.put(f"bra $L_{label}{index + 1};")
        self.put("}")

    @staticmethod
    def guard(guard):
        if guard is None:
            return ""
        return f"@{'!' if guard[1] else ''}%p{guard[0]} "

    def options(self):
        options = ["remarks=true"]
        if self.knows in ("block", "launch"):
            options.append(f"block={self.block[0]},{self.block[1]}")
        if self.knows == "launch":
            options += [f"grid={self.grid}", f"param=0:u32={self.n}"]
        return " ".join(options)

    def launch(self):
        """Executes one launch that the assumptions allow. Returns what each
        target line did and how threads ended."""
        block, grid, n = self.block, self.grid, self.n
        if self.knows != "launch":
            grid = random.choice([1, 2])
            n = random.choice([n, random.getrandbits(32), random.randrange(40)])
        if self.knows == "nothing":
            block = random.choice([self.block, (1, 1), (31, 1), (3, 20)])
        state = {"n": n, "hits": {}}
        threads, ends = [], set()
        for cta in range(grid):
            for linear in range(block[0] * block[1]):
                special = {
                    "tid.x": linear % block[0], "tid.y": linear // block[0],
                    "ctaid.x": cta, "ntid.x": block[0], "nctaid.x": grid,
                    "laneid": linear % 32, "warp": (cta, linear // 32)}
                threads.append(Thread(special, state))
        self.run_prefix(threads)
        for thread in threads:
            try:
                run_blocks(self.parts.entry, thread, state["hits"])
                ends.add("exit")
            except ThreadEnd as end:
                ends.add(end.args[0])
        return state["hits"], ends, threads

    def run_prefix(self, threads):
        leaders = {}
        for thread in threads:
            lanes = leaders.setdefault(thread.special["warp"], [])
            lanes.append(thread)
        chosen = {warp: random.choice(lanes)
                  for warp, lanes in leaders.items()}
        for inst in self.parts.prefix:
            if isinstance(inst, Inst):
                for thread in threads:
                    inst.effect(thread, True)
                continue
            for warp, lanes in leaders.items():
                value = lanes[0].reg((1,))
                for thread in lanes:
                    if inst[0] == "shfl":
                        thread.set(0, 2, value, True)
                    else:
                        thread.set(1, 0, thread is chosen[warp], True)


REMARK = re.compile(
    r":(\d+):\d+: remark: griddepcontrol\.wait: "
    r"(never|all|maybe|some \((?:cta|cluster|grid)\)): ([^\n]*)")
COUNT = re.compile(r"\[per CTA:(?: (\d+) by warps,?)?(?: (\d+) by threads)?\]")


def find_error(reach, reason, hits, threads, is_normal):
    """What is wrong with a verdict after one launch, or None."""
    if reach == "never" and hits:
        return f"never, but executed by {len(hits)} threads"
    if not is_normal:
        return None
    ctas = {t.special["ctaid.x"] for t in threads}
    hit_ctas = {t.special["ctaid.x"] for t in hits}
    if reach == "all" and len(set(hits)) != len(threads):
        return f"all, but executed by {len(set(hits))} of {len(threads)}"
    # Each CTA is a cluster of its own here.
    if reach in ("some (cta)", "some (cluster)") and hit_ctas != ctas:
        return f"{reach}, but executed by CTAs {sorted(hit_ctas)} only"
    if reach == "some (grid)" and not hits:
        return f"{reach}, but not executed"
    count = COUNT.search(reason)
    if not count or reach == "maybe":
        return None
    for cta in ctas:
        mine = [t for t in hits if t.special["ctaid.x"] == cta]
        if count[2] and len(mine) != int(count[2]):
            return f"{count[2]} by threads, but executed {len(mine)} times"
        by_warp = {}
        for thread in set(mine):
            warp = thread.special["warp"]
            by_warp[warp] = max(by_warp.get(warp, 0), mine.count(thread))
        if count[1] and sum(by_warp.values()) != int(count[1]):
            return f"{count[1]} by warps, but {sum(by_warp.values())}"
    return None


def check(seed, opt, folder, launches, tally):
    """Checks one program. Returns a text about what is wrong, or None."""
    random.seed(seed)
    program = Program(seed)
    path = Path(folder) / f"fuzz{seed}.ptx"
    path.write_text("\n".join(program.lines) + "\n")
    command = [opt, str(path), f"--ptx-reachability={program.options()}",
               "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    verdicts = {int(m[1]): (m[2], m[3]) for m in REMARK.finditer(done.stderr)}
    text = "\n".join(program.lines)
    where = f"seed {seed}, options '{program.options()}'"
    expected = text.count("griddepcontrol.wait")
    if done.returncode or len(verdicts) != expected:
        return (f"{where}: exit status {done.returncode} and {len(verdicts)} "
                f"verdicts of {expected}\n{done.stderr[:2000]}\n{text}")
    for reach, _ in verdicts.values():
        tally[reach] = tally.get(reach, 0) + 1
    for _ in range(launches):
        hits, ends, threads = program.launch()
        is_normal = ends == {"exit"}
        tally["normal launches"] = tally.get("normal launches", 0) + is_normal
        for line, (reach, reason) in verdicts.items():
            error = find_error(reach, reason, hits.get(line, []), threads,
                               is_normal)
            if is_normal and COUNT.search(reason):
                tally["counts"] = tally.get("counts", 0) + 1
            if error:
                return f"{where}: line {line}: {error}\n  {reason}\n{text}"
    path.unlink()
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--opt", default="ptxbench-opt", metavar="FILE")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--count", type=int, default=120, metavar="N")
    parser.add_argument("--launches", type=int, default=2, metavar="N",
                        help="launches of each program")
    parser.add_argument("--keep-going", action="store_true")
    args = parser.parse_args()
    errors, tally = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(args.first, args.first + args.count):
            error = check(seed, args.opt, folder, args.launches, tally)
            if error:
                print(error, flush=True)
                errors += 1
                if not args.keep_going:
                    break
    print(f"{args.count} programs, {errors} with wrong verdicts;",
          ", ".join(f"{name}: {n}" for name, n in sorted(tally.items())))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
