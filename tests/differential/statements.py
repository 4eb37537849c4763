# SPDX-License-Identifier: Apache-2.0
"""Random statements of one phase of a kernel: what a thread does between two barriers."""
from expressions import BITS, FLOATS, INTEGERS, Expressions

ATOMICS = ["add", "min", "max", "smin", "smax", "and", "or", "xor", "inc"]
OWN_WORDS = 8  # words of each thread's own part of the output that statements write


class Statements:
    """`phase.modes` says how each shared array may be used: "own", "read" or the name of an atomic operation."""

    def __init__(self, random, kernel, phase):
        self.random, self.kernel, self.phase = random, kernel, phase
        self.expressions = Expressions(random, phase.scope)
        self.lines, self.indent = [], 1
        self.loops = 0      # around this place
        self.may_leave = 0  # loops that a break may leave

    def text(self, count):
        for _ in range(count):
            self.statement(3 if self.kernel.large else 2)
        return "\n".join(self.lines)

    def put(self, line):
        self.lines.append("  " * self.indent + line)

    def block(self, depth, most=3):
        self.indent += 1
        for _ in range(self.random.randint(1, most)):
            self.statement(depth)
        self.indent -= 1

    def of(self, kind, depth=2):
        return self.expressions.of(kind, depth)

    def condition(self):
        return self.expressions.condition(2)

    def statement(self, depth):
        forms = [(8, self.assign), (2, self.local_store), (1, self.own_store), (2, self.shared_access)]
        if self.kernel.level >= 11:
            forms.append((2, self.global_atomic))
        if depth > 0:
            forms += [(4, self.branch), (1, self.switch), (1, self.leave_phase)]
            if self.kernel.returns:
                forms.append((2, self.leave_kernel))
            if self.loops < 3:
                forms += [(3, self.counted_loop), (2, self.fuel_loop), (1, self.jump_into_loop), (1, self.nest_left_at_once), (1, self.cycle_within_loop)]
        if self.may_leave:
            forms.append((3, self.leave_loop))
        self.expressions.pick(forms)(depth)

    def assign(self, _depth):
        kind, name = self.random.choice(self.kernel.variables)
        value = self.of(kind, 4 if self.kernel.large else 3)
        self.put(f"T.{name} = keep({value});" if kind in FLOATS else f"T.{name} = {value};")

    def local_store(self, _depth):
        if not self.kernel.locals:
            return self.assign(0)
        kind, name, size = self.random.choice(self.kernel.locals)
        value = f"keep({self.of(kind)})" if kind in FLOATS else self.of(kind)
        self.put(f"L.{name}[{self.expressions.index(size)}] = {value};")

    def own_store(self, _depth):
        kind = self.random.choice(INTEGERS)
        self.put(f"(({kind}*)mine)[{self.expressions.index(OWN_WORDS * 32 // BITS[kind], 1)}] = {self.of(kind)};")

    def shared_access(self, _depth):
        usable = [array for array in self.kernel.shared if self.phase.modes.get(array[1], "read") != "read"]
        if not usable:
            return self.assign(0)
        kind, name, size, step = self.random.choice(usable)
        mode = self.phase.modes[name]
        if mode != "own":
            return self.put(f"atomic_{mode}(&{name}[{self.expressions.index(size)}], {self.atomic_value(mode)});")
        own = f"{name}[(I * {step} + {self.random.choice(['0', self.kernel.padded])}) & {size - 1}]"
        if kind == "u32" and self.kernel.level >= 12 and self.random.random() < 0.4:
            return self.own_atomic(own)
        self.put(f"{own} = {'keep' if kind in FLOATS else f'({kind})'}({self.of(kind)});")

    def atomic_value(self, mode):
        return "0xffffffffU" if mode == "inc" else self.of("u32")

    def own_atomic(self, place):
        """Nobody else uses the word, so the old value is known."""
        mode = self.random.choice(ATOMICS + ["dec", "exch", "cas"])
        values = [self.of("u32")] if mode != "cas" else [self.of("u32", 1), self.of("u32")]
        targets = [name for kind, name in self.kernel.variables if kind == "u32"]
        self.put(f"T.{self.random.choice(targets)} = atomic_{mode}(&{place}, {', '.join(values)});")

    def global_atomic(self, _depth):
        if self.random.random() < 0.5:
            return self.own_atomic(f"mine[{self.expressions.index(OWN_WORDS, 1)}]")
        mode = self.kernel.sum_mode
        if mode == "add64":
            return self.put(f"atomic_add((u64*)sums + {self.expressions.index(8)}, {self.of('u64')});")
        self.put(f"atomic_{mode}(&sums[{self.expressions.index(16)}], {self.atomic_value(mode)});")

    def branch(self, depth):
        self.put(f"if ({self.condition()}) {{")
        self.block(depth - 1)
        if self.random.random() < 0.5:
            self.put("} else {")
            self.block(depth - 1)
        self.put("}")

    def switch(self, depth):
        self.put(f"switch ({self.of('u32')} & 7) {{")
        left, self.may_leave = self.may_leave, 0  # a break would leave the switch
        for case in self.random.sample(range(8), self.random.randint(2, 5)):
            self.put(f"case {case}:")
            self.block(depth - 1, 2)
            if self.random.random() < 0.7:
                self.put("  break;")
        if self.random.random() < 0.5:
            self.put("default:")
            self.block(depth - 1, 2)
        self.may_leave = left
        self.put("}")

    def leave_phase(self, _depth):
        self.put(f"if (({self.of('u32')} & 7) == {self.random.randint(0, 7)}) return;")

    def leave_kernel(self, _depth):
        """Some threads, or a whole warp; others go on to barriers."""
        some = f"({self.of('u32')} & 7) == {self.random.randint(0, 7)}"
        self.put(f"if ({self.random.choice([some, some, some, 'I >> 5 == 1', 'I >> 5 == 0'])}) {{ T.ended = 1; return; }}")

    def leave_loop(self, _depth):
        self.put(f"if ({self.condition()}) {self.random.choice(['break', 'break', 'continue'])};")

    def loop_body(self, depth):
        self.loops += 1
        self.may_leave += 1
        self.block(depth - 1)
        self.may_leave -= 1
        self.loops -= 1

    def counted_loop(self, depth):
        counter = self.kernel.counter()
        trips = self.random.choice([str(self.random.randint(1, 5)), f"({self.of('u32')} & {self.random.choice([3, 7])})", "(I & 3) + 1"])
        self.put(f"for (T.{counter} = 0; T.{counter} < {trips}; ++T.{counter}) {{")
        # Trips are asked for again each time, so fuel bounds them.
        self.put("  if (T.fuel-- <= 0) break;")
        self.loop_body(depth)
        self.put("}")

    def fuel_loop(self, depth):
        if self.random.random() < 0.5:
            self.put(f"while (T.fuel-- > 0 && {self.condition()}) {{")
            self.loop_body(depth)
            self.put("}")
        else:
            self.put("do {")
            self.loop_body(depth)
            self.put(f"}} while (T.fuel-- > 0 && {self.condition()});")

    def jump_into_loop(self, depth):
        """Two ways in: a graph that no structured statement makes."""
        label = self.kernel.label()
        self.put(f"if ({self.condition()}) goto {label};")
        self.put("while (T.fuel-- > 0) {")
        self.loop_body(depth)
        self.put(f"{label}:")
        self.loop_body(depth)
        self.put(f"  if ({self.condition()}) break;")
        self.put("}")

    def cycle_within_loop(self, depth):
        """A loop that is entered in two places and left from a short cycle of its own, or turned again from there."""
        outer, inner, out = self.kernel.label(), self.kernel.label(), self.kernel.label()
        self.put(f"if ({self.condition()}) goto {inner};")
        self.put(f"{outer}:;")
        self.turn(1)
        self.put(f"{inner}:;")
        self.turn(depth)
        self.put(f"if (T.fuel-- <= 0 || {self.condition()}) goto {out};")
        self.turn(1)
        self.put(f"if ({self.condition()}) goto {self.random.choice([outer, inner])};")
        self.turn(1)
        self.put(f"goto {self.random.choice([outer, inner])};")
        self.put(f"{out}:;")

    def turn(self, depth):
        """A part of a loop that is no statement: a break leaves the loop around it."""
        self.loops += 1
        self.block(depth - 1 if depth > 1 else 0, 2)
        self.loops -= 1

    def nest_left_at_once(self, depth):
        """Out of two loops, or back to before them."""
        label = self.kernel.label()
        back = self.random.random() < 0.3
        if back:
            self.put(f"{label}:;")
        self.put("while (T.fuel-- > 0) {")
        self.indent += 1
        self.put("do {")
        self.loop_body(depth - 1 if depth > 1 else 1)
        self.put(f"  if (T.fuel-- > 0 && {self.condition()}) goto {label};")
        self.put(f"}} while (T.fuel-- > 0 && {self.condition()});")
        self.loop_body(1)
        self.put(f"if ({self.condition()}) break;")
        self.indent -= 1
        self.put("}")
        if not back:
            self.put(f"{label}:;")
