# SPDX-License-Identifier: Apache-2.0
"""Random kernels in C++ that is the same for CUDA and for the host: `unit(seed, count)` is one source file of them.

A kernel is a list of phases with a barrier behind each. On the device a thread runs them one after the other; on the host, where
a program of its own is made of the same file, all threads of a block run a phase before the first runs the next. Results do not depend on
the order of threads: in a phase an element of shared memory is written by one thread, or changed by one kind of atomic operation.
The host program prints what it gave to each kernel and what came out.

usage: random_programs.py SEED KERNELS
"""
import random as random_module
import sys

from expressions import FLOATS, INPUT_BYTES, INTEGERS, Expressions
from statements import ATOMICS, OWN_WORDS, Statements

SUM_WORDS = 16
LARGE = 0.02  # of the kernels have hundreds of live values, and take a hundred times as long to compile
FUEL = 40  # turns of all loops of a thread in a phase
TABLES = [("u32", "table_u32", 16), ("s16", "table_s16", 32), ("u8", "table_u8", 64), ("f32", "table_f32", 8)]


class Scope:
    """Names that expressions of one place can read."""

    def __init__(self, values, arrays, functions, doubles=False):
        self.values, self.arrays, self.functions, self.doubles = values, arrays, functions, doubles


class Phase:
    def __init__(self, modes, scope):
        self.modes, self.scope = modes, scope


class Kernel:
    def __init__(self, random, name, functions):
        self.random, self.name = random, name
        self.level = random.choice([10, 10, 10, 11, 12, 12, 13])
        self.large = random.random() < LARGE
        self.doubles = self.level == 13
        self.functions = [each for each in functions if self.doubles or "f64" not in each[2]]
        self.threads = random.choice([16, 32, 33, 40, 64, 64, 96, 128])
        self.blocks = random.choice([1, 2, 3])
        self.padded = 1 << (self.threads - 1).bit_length()
        self.labels = self.counters = 0
        self.returns = random.random() < 0.3  # some threads, before others come to the last barrier
        kinds = ["u32", "s32"] + random.choices(INTEGERS + ["f32"] + (["f64"] * 4 if self.doubles else []), k=random.randint(2, 7) if self.large else random.randint(1, 4))
        self.variables = [(kind, f"v{i}") for i, kind in enumerate(kinds)]
        self.locals = [(random.choice(INTEGERS + ["f32"]), f"a{i}", random.choice([4, 8, 16])) for i in range(random.choice([0, 0, 1, 2]))]
        # An odd step gives each thread elements of its own.
        self.shared = [(random.choice(["u32", "u32", "f32"] + INTEGERS), f"{name}_s{i}", 2 * self.padded, random.choice([1, 3, 5]))
                       for i in range(random.choice([0, 1, 1, 2]))]
        self.pack = [(random.choice(INTEGERS + ["f32"]), f"m{i}") for i in range(random.randint(1, 5))]
        self.scalars = [(random.choice(INTEGERS), f"p{i}") for i in range(random.randint(1, 4))]
        self.sum_mode = random.choice(ATOMICS + (["add64"] * 3 if self.level >= 12 else []))
        self.device, self.host, self.text = [], [], []
        self.phases = 0

    def counter(self):
        self.counters += 1
        return f"i{self.counters}"

    def label(self):
        self.labels += 1
        return f"place{self.labels}"

    def scope(self, modes):
        values = [(kind, f"T.{name}") for kind, name in self.variables] + [("u32", "I"), ("u32", "B"), ("u32", "X.u1"), ("u32", "T.fuel")]
        values += [(kind, f"P.pack.{name}") for kind, name in self.pack] + [(kind, f"P.{name}") for kind, name in self.scalars]
        arrays = [(kind, f"L.{name}", size) for kind, name, size in self.locals] + TABLES
        arrays += [(kind, name, size) for kind, name, size, _ in self.shared if modes.get(name, "none") == "read"]
        return Scope(values, arrays, self.functions, self.doubles)

    def phase(self, count):
        modes = {}
        for kind, name, _, _ in self.shared:
            choices = ["own", "read", "read"] + ([self.random.choice(ATOMICS)] * 2 if self.level >= 12 and kind == "u32" else [])
            modes[name] = self.random.choice(choices)
        self.add_phase(modes, lambda phase: Statements(self.random, self, phase).text(count))

    def add_phase(self, modes, body, last=False):
        number = self.phases
        self.phases += 1
        text = body(Phase(modes, self.scope(modes)))
        signature = f"{self.name}_state &T, {self.name}_arrays &L, {self.name}_uniform const &X, "
        self.text.append(f"DEVICE void {self.name}_phase{number}({signature}{self.name}_parameters const &P, u32 I, u32 B, u32 const* in, "
                         f"u32* sums, u32* mine) {{\n  T.fuel = {FUEL};\n{text}\n}}")
        call = f"{self.name}_phase{number}(T, L, X, P, I, B, in, sums, mine);"
        self.device.append(call + (" if (T.ended) return;" if self.returns else ""))
        if self.shared and not last:
            self.device.append("__syncthreads();")
        self.host.append(f"THREADS {{ OF_THREAD {'' if number == 0 else 'if (!T.ended) '}{call} }}")

    def vote(self):
        kind = self.random.choice(["any", "all"])
        target = self.random.choice([name for kind_of, name in self.variables if kind_of in ("u32", "s32")])
        condition = Expressions(self.random, self.scope({})).condition(2)
        self.device.append(f"T.{target} = vote_{kind}({condition});")
        self.host.append(f"for (u32 w = 0; w < {self.threads}; w += 32) {{ u32 found = {int(kind == 'all')};\n"
                         f"  for (u32 I = w; I < w + 32 && I < {self.threads}; ++I) {{ OF_THREAD if (T.ended) continue; const bool truth = {condition};\n"
                         f"    found = {'found && truth' if kind == 'all' else 'found || truth'}; }}\n"
                         f"  for (u32 I = w; I < w + 32 && I < {self.threads}; ++I) if (!threads[I].T.ended) threads[I].T.{target} = found; }}")

    def uniform(self, depth):
        """A loop or branch that all threads of a block take together, with barriers in it."""
        text = Expressions(self.random, Scope([("u32", "B"), ("u32", "X.u1")] + [(k, f"P.{n}") for k, n in self.scalars], [], []))
        if depth == 0 and self.random.random() < 0.6:
            head = f"for (X.u1 = 0; X.u1 < ({text.of('u32', 2)} & 3) + 1 && X.u1 < 4; ++X.u1) {{"
        else:
            head = f"if ({text.condition(1)}) {{"
        for side in (self.device, self.host):
            side.append(head)
        for _ in range(self.random.randint(1, 2)):
            self.piece(depth + 1)
        for side in (self.device, self.host):
            side.append("}")

    def piece(self, depth):
        choice = self.random.random()
        if self.level >= 12 and choice < 0.2:
            self.vote()
        elif depth < 2 and choice < 0.45:
            self.uniform(depth)
        else:
            self.phase(self.random.randint(2, 6) if self.large else self.random.randint(1, 3))

    def first(self, _phase):
        """Every thread's variables from its input, and the shared elements that it owns."""
        scope = Scope([("u32", "I"), ("u32", "B")], [], [])
        text = Expressions(self.random, scope)
        lines = ["T.ended = 0;"] + [f"T.{name} = {text.of(kind, 2)};" for kind, name in self.variables]
        for kind, name, size in self.locals:
            lines += [f"for (u32 k = 0; k < {size}; ++k) L.{name}[k] = ({kind})(s8)in[(I + k * 7) & 63];"]
        for kind, name, size, step in self.shared:
            lines += [f"for (u32 k = I; k < {size}; k += {self.threads}) {name}[k] = ({kind})(s16)in[(k * {step} + B) & 255];"]
        return "  " + "\n  ".join(lines)

    def last(self, phase):
        """Own statements, then everything that the thread and the block know."""
        text = Statements(self.random, self, phase).text(self.random.randint(1, 3))
        lines = [f"*(u64*)(mine + OWN_WORDS + {2 * i}) = (u64)bits(T.{name});" for i, (_, name) in enumerate(self.variables)]
        at = OWN_WORDS + 2 * len(self.variables)
        total = " + ".join(["0ULL"] + [f"(u64)bits(L.{name}[{k}]) * {k + 3}" for _, name, size in self.locals for k in range(size)])
        lines.append(f"*(u64*)(mine + {at}) = {total};")
        for i, (_, name, _, _) in enumerate(self.shared):
            lines.append(f"*(u64*)(mine + {at + 2 + 2 * i}) = (u64)bits({name}[I]) ^ (u64)bits({name}[I + {self.padded}]) << 1;")
        return text + "\n  " + "\n  ".join(lines)

    def words(self):
        return OWN_WORDS + 2 * (len(self.variables) + 1 + len(self.shared))

    def make(self):
        own = {name: "own" for _, name, _, _ in self.shared}
        self.add_phase(own, self.first)
        for _ in range(self.random.randint(1, 4 if self.large else 2)):
            self.piece(0)
        self.add_phase({name: "read" for _, name, _, _ in self.shared}, self.last, last=True)

    def declarations(self):
        name = self.name
        state = [f"{kind} {each};" for kind, each in self.variables] + [f"u32 i{i + 1};" for i in range(self.counters)] + ["s32 fuel, ended;"]
        arrays = [f"{kind} {each}[{size}];" for kind, each, size in self.locals] + ["char none;"]
        shared = [f"SHARED {kind} {each}[{size}];" for kind, each, size, _ in self.shared]
        return [f"struct {name}_state {{ {' '.join(state)} }};", f"struct {name}_arrays {{ {' '.join(arrays)} }};",
                f"struct {name}_uniform {{ u32 u1; }};",
                f"struct {name}_pack {{ {' '.join(f'{kind} {each};' for kind, each in self.pack)} }};",
                f"struct {name}_parameters {{ {name}_pack pack; {' '.join(f'{kind} {each};' for kind, each in self.scalars)} }};"] + shared

    def device_text(self):
        parameters = [f"{self.name}_pack pack", "u32 const* in"] + [f"{kind} {each}" for kind, each in self.scalars] + ["u32* out"]
        lines = [f"KERNEL void {self.name}({', '.join(parameters)}) {{",
                 "const u32 I = __nvvm_read_ptx_sreg_tid_x(), B = __nvvm_read_ptx_sreg_ctaid_x();",
                 f"u32 *sums = out, *mine = out + {SUM_WORDS} + (B * {self.threads} + I) * {self.words()};",
                 f"{self.name}_state T; {self.name}_arrays L; {self.name}_uniform X; X.u1 = 0;",
                 f"const {self.name}_parameters P = {{pack, {', '.join(each for _, each in self.scalars)}}};"] + self.device + ["}"]
        return "\n".join(lines)

    def host_text(self):
        random, name = self.random, self.name
        text = Expressions(random, Scope([("u32", "1U")], [], []))
        words = SUM_WORDS + self.blocks * self.threads * self.words()
        pack = ", ".join(f"({kind})({text.constant(kind)})" for kind, _ in self.pack)
        scalars = ", ".join(text.constant(kind) for kind, _ in self.scalars)
        given = "".join(f"give(P.{each});" for _, each in self.scalars)
        members = " ".join(f"put(&P.pack.{each}, &q.{each}, sizeof q.{each});" for _, each in self.pack)
        return "\n".join([
            f"static void run_{name}() {{",
            f"struct Thread {{ {name}_state T; {name}_arrays L; }}; static Thread threads[{self.threads}];",
            f"const {name}_pack q = {{{pack}}}; {name}_parameters P; __builtin_memset(&P, 0, sizeof P);",
            f"{members} {name}_parameters const given = {{q, {scalars}}};",
            " ".join(f"P.{each} = given.{each};" for _, each in self.scalars),
            f"static u32 out[{words}]; u32* sums = out; for (u32 k = 0; k < {words}; ++k) out[k] = k * 2654435761U;",
            f"begin(\"{name}\", {self.level}, {self.blocks}, {self.threads}, {words}); give(P.pack); given_input(); {given} given_output();",
            f"for (u32 B = 0; B < {self.blocks}; ++B) {{ {name}_uniform X; X.u1 = 0;",
            f"#define THREADS for (u32 I = 0; I < {self.threads}; ++I)",
            f"#define OF_THREAD {name}_state &T = threads[I].T; {name}_arrays &L = threads[I].L; "
            f"u32* mine = out + {SUM_WORDS} + (B * {self.threads} + I) * {self.words()};",
            *self.host, "}", "end(out, sizeof out);", "#undef THREADS", "#undef OF_THREAD", "}"])


def called_functions(random, count):
    """Functions that stay functions: branches and loops of their own."""
    functions, texts = [], []
    for i in range(count):
        result = random.choice(["u32", "s32", "u64", "s16", "f32"])
        arguments = random.choices(["u32", "s32", "u8", "s64", "f32"], k=random.randint(1, 3))
        names = [f"x{k}" for k in range(len(arguments))]
        values = list(zip(arguments, names)) + [("u32", "I")]
        text = Expressions(random, Scope(values, [each for each in TABLES], []))
        kept, kept_first = ("keep" if kind in FLOATS else f"({kind})" for kind in (result, arguments[0]))
        texts.append(f"CALLED {result} called{i}({', '.join(f'{a} {n}' for a, n in zip(arguments, names))}, u32 const* in, u32 I) {{\n"
                     f"  if ({text.condition(2)}) return {kept}({text.of(result, 2)});\n"
                     f"  u32 B = 0;\n  for (u32 k = 0; k < (I & 3); ++k) {{ x0 = {kept_first}({text.of(arguments[0], 2)}); "
                     f"if ({text.condition(1)}) break; B += k; }}\n  return {kept}({text.of(result, 3)});\n}}")
        functions.append((result, f"called{i}", arguments))
    return functions, texts


def unit(seed, count):
    random = random_module.Random(seed)
    functions, texts = called_functions(random, 3)
    kernels = [Kernel(random, f"k{i}", functions) for i in range(count)]
    lines = ['#include "prelude.h"']
    constant = Expressions(random, None)
    for kind, name, size in TABLES:
        lines.append(f"CONSTANT const {kind} {name}[{size}] = {{{', '.join(f'({kind})({constant.constant(kind)})' for _ in range(size))}}};")
    lines += [f"enum {{ OWN_WORDS = {OWN_WORDS}, INPUT_BYTES = {INPUT_BYTES} }};"] + texts
    for kernel in kernels:
        kernel.make()
        lines += kernel.declarations() + kernel.text
    lines += ["#ifdef __CUDA__"] + [kernel.device_text() for kernel in kernels] + ["#else", '#include "host.h"']
    lines += [kernel.host_text() for kernel in kernels]
    calls = " ".join(f"run_{kernel.name}();" for kernel in kernels)
    lines += [f"int main() {{ set_up({seed & 0xffffffff}U); {calls} }}", "#endif"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(unit(int(sys.argv[1]), int(sys.argv[2])))
