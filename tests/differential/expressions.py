# SPDX-License-Identifier: Apache-2.0
"""Random expressions of C, each of one type, defined for all values of what they read."""

SMALL = ["s8", "u8", "s16", "u16"]
WORDS = ["s32", "u32"]
WIDE = ["s64", "u64"]
INTEGERS = SMALL + WORDS + WIDE
BITS = {"s8": 8, "u8": 8, "s16": 16, "u16": 16, "s32": 32, "u32": 32, "s64": 64, "u64": 64, "f32": 32, "f64": 64}
FLOATS = ("f32", "f64")
INPUT_BYTES = 1024


class Expressions:
    """`scope` says which names can be read: (type, text) in `scope.values`, arrays (type, text, size) in `scope.arrays`, functions
    (result type, name, argument types) in `scope.functions`."""

    def __init__(self, random, scope):
        self.random, self.scope = random, scope

    def of(self, kind, depth):
        if depth <= 0 or self.random.random() < 0.12:
            return self.leaf(kind)
        if kind in FLOATS:
            return self.floating(kind, depth - 1)
        return self.integer(kind, depth - 1)

    def any_type(self):
        kinds = INTEGERS + ["s32", "u32", "u32"] + (["f32"] * 2) + (["f64"] * 3 if self.scope.doubles else [])
        return self.random.choice(kinds)

    def place(self):
        return self.random.choice([text for each, text in self.scope.values if each == "u32"])

    def index(self, size, depth=2):
        """Within an array of a power of two."""
        return f"({self.of('u32', depth)} & {size - 1})"

    def leaf(self, kind):
        same = [text for each, text in self.scope.values if each == kind]
        choice = self.random.random()
        if same and choice < 0.55:
            return self.random.choice(same)
        if choice < 0.75:
            return self.constant(kind)
        if choice < 0.85 and kind not in FLOATS:
            return f"(({kind} const*)in)[({self.place()} {self.random.choice(['+', '^', '* 3 +'])} {self.random.randint(0, 9)}) & {INPUT_BYTES * 8 // BITS[kind] - 1}]"
        others = [text for each, text in self.scope.values if each not in FLOATS and (kind not in FLOATS or self.converts(each))]
        return f"({kind}){self.random.choice(others)}"

    def converts(self, integer):
        """Between 64 bits and floats the chip converts where it has doubles."""
        return self.scope.doubles or BITS[integer] < 64

    def constant(self, kind):
        if kind in FLOATS:
            value = self.random.choice([0.0, 1.0, -1.0, 0.5, 2.0, 1e6, self.random.randint(-1000, 1000) / 8, self.random.uniform(-10, 10)])
            return f"({kind}){value!r}"
        width = BITS[kind]
        value = self.random.choice([0, 1, 2, 3, 7, 31, 255, 0xffff, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1,
                                    self.random.getrandbits(width), self.random.getrandbits(self.random.randint(1, width))])
        return f"({kind}){value & ((1 << width) - 1):#x}ULL"

    def integer(self, kind, depth):
        of = self.of
        forms = [(5, self.arithmetic), (3, self.logic), (3, self.shift), (1, self.quotient), (2, self.extreme), (3, self.conversion),
                 (2, self.choice_of_two), (2, self.truth), (2, self.element)]
        if kind in ("u32", "s32", "u64", "s64"):
            forms.append((2, self.counted))
        if kind in SMALL:
            forms.append((2, lambda k, d: f"({k})({of(k, d)} {self.random.choice('+-')} {of(k, d)})"))
        if any(result == kind for result, _, _ in self.scope.functions):
            forms.append((1, self.call))
        return self.pick(forms)(kind, depth)

    def pick(self, forms):
        return self.random.choices([form for _, form in forms], [weight for weight, _ in forms])[0]

    def arithmetic(self, kind, depth):
        name = self.random.choice(["add", "add", "subtract", "multiply"])
        return f"{name}<{kind}>({self.of(kind, depth)}, {self.of(kind, depth)})"

    def logic(self, kind, depth):
        if self.random.random() < 0.2:
            return f"({kind})(~{self.of(kind, depth)})"
        return f"({kind})({self.of(kind, depth)} {self.random.choice('&|^')} {self.of(kind, depth)})"

    def shift(self, kind, depth):
        # LLVM 14 turns a sign-extended word times 2^31 into a product by -2^31: no constants as large as that.
        most = 7 if BITS[kind] == 64 else 31
        count = str(self.random.randint(0, most)) if self.random.random() < 0.6 else self.of("u32", depth)
        if count.isdigit() or BITS[kind] != 64:
            return f"{self.random.choice(['left', 'right'])}<{kind}>({self.of(kind, depth)}, {count})"
        return f"{self.random.choice(['left', 'right'])}<{kind}>({self.of(kind, depth)}, (u32)in[{self.place()} & 31] + {count})"

    def quotient(self, kind, depth):
        divisor = self.of(kind, depth) if self.random.random() < 0.6 else self.constant(kind)
        return f"{self.random.choice(['divide', 'rest'])}<{kind}>({self.of(kind, depth)}, {divisor})"

    def extreme(self, kind, depth):
        if self.random.random() < 0.25:
            return f"magnitude<{kind}>({self.of(kind, depth)})"
        return f"{self.random.choice(['least', 'most'])}<{kind}>({self.of(kind, depth)}, {self.of(kind, depth)})"

    def counted(self, kind, depth):
        """What words have instructions or builtins for."""
        wide = BITS[kind] == 64
        long = "ll" if wide else ""
        a = self.of(kind, depth)
        unsigned = f"({'u64' if wide else 'u32'}){a}"
        return self.random.choice([
            f"high<{kind}>({a}, {self.of(kind, depth)})", f"({kind})__builtin_popcount{long}({unsigned})",
            f"({kind})__builtin_clz{long}({unsigned} | 1)", f"({kind})__builtin_ctz{long}({unsigned} | 0x40000000)",
            f"({kind})__builtin_bswap32((u32){a})", f"({kind})__builtin_bitreverse32((u32){a})",
            # For sm_20 LLVM 14 does not cut the counts of rotations.
            f"({kind})rotate((u32){a}, {self.of('u32', depth)} >> 27)", f"({kind})(({a} >> {self.random.randint(1, 20)}) & 0xff)"])

    def conversion(self, kind, depth):
        source = self.any_type()
        if source not in FLOATS:
            return f"({kind}){self.of(source, depth)}"
        value = self.of(source, depth)
        if kind == "u32":
            return f"whole_unsigned<{source}>({value})"
        if BITS[kind] == 64:
            return f"({kind})whole_long<{source}>({value})" if self.scope.doubles else f"whole<{kind}, {source}>({value})"
        return self.random.choice([f"whole<{kind}, {source}>({value})", f"({kind})bits({value})"])

    def choice_of_two(self, kind, depth):
        return f"({self.condition(depth)} ? {self.of(kind, depth)} : {self.of(kind, depth)})"

    def truth(self, kind, depth):
        return f"({kind}){self.condition(depth)}"

    def element(self, kind, depth):
        arrays = [array for array in self.scope.arrays if array[0] == kind]
        if not arrays:
            if kind in FLOATS:
                return self.leaf(kind)
            return f"(({kind} const*)in)[{self.index(INPUT_BYTES * 8 // BITS[kind], depth)}]"
        _, name, size = self.random.choice(arrays)
        return f"{name}[{self.index(size, depth)}]"

    def call(self, kind, depth):
        _, name, arguments = self.random.choice([each for each in self.scope.functions if each[0] == kind])
        return f"{name}({', '.join(self.of(argument, depth - 1) for argument in arguments)}, in, I)"

    def condition(self, depth):
        choice = self.random.random()
        if depth > 0 and choice < 0.2:
            return f"({self.condition(depth - 1)} {self.random.choice(['&&', '||'])} {self.condition(depth - 1)})"
        if depth > 0 and choice < 0.28:
            return f"!{self.condition(depth - 1)}"
        if choice < 0.45:
            mask = self.random.choice([1, 3, 7, 5, 16])
            return f"(({self.of('u32', depth)} & {mask}) == {self.random.randint(0, mask) & mask})"
        kind = self.any_type()
        return f"({self.of(kind, depth)} {self.random.choice(['<', '<=', '>', '>=', '==', '!='])} {self.of(kind, depth)})"

    def floating(self, kind, depth):
        of = self.of
        suffix = "f" if kind == "f32" else ""

        def from_integer(kind, depth):
            return f"({kind}){of(self.random.choice([each for each in INTEGERS if self.converts(each)]), depth)}"

        def rounded(kind, depth):
            return f"__builtin_{self.random.choice(['floor', 'ceil', 'trunc', 'rint'])}{suffix}({of(kind, depth)})"

        def signs(kind, depth):
            return self.random.choice([f"__builtin_fabs{suffix}({of(kind, depth)})", f"(-{of(kind, depth)})"])

        def sum_or_product(kind, depth):
            return f"({of(kind, depth)} {self.random.choice('++-**')} {of(kind, depth)})"

        def signed_flag(kind, depth):
            return f"({kind})-({self.condition(depth)} {self.random.choice(['^', '==', '&', '||'])} {self.condition(depth)})"

        forms = [(6, sum_or_product), (2, from_integer), (1, rounded), (2, signs), (2, self.choice_of_two), (1, self.extreme_float),
                 (1, self.element), (1, signed_flag)]
        if kind == "f64":
            forms += [(1, lambda k, d: f"({of(k, d)} / {of(k, d)})"), (1, lambda k, d: f"__builtin_fma({of(k, d)}, {of(k, d)}, {of(k, d)})")]
        if self.scope.doubles:
            other = "f64" if kind == "f32" else "f32"
            forms.append((1, lambda k, d: f"{'narrow' if k == 'f32' else '(f64)'}({of(other, d)})"))
        return self.pick(forms)(kind, depth)

    def extreme_float(self, kind, depth):
        return f"{self.random.choice(['least', 'most'])}<{kind}>({self.of(kind, depth)}, {self.of(kind, depth)})"
