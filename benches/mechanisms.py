# SPDX-License-Identifier: Apache-2.0
"""What each mechanism of the model costs on the host: instructions of the host per simulated warp instruction.

usage: mechanisms.py PROGRAM [--machine NAME] [--kernel NAME=BLOCKS ...] [--only WORD ...] [--counter NAME] [--json]

Runs part of traces/<kernel>/<kernel>.bench.launch.toml as configured, then once for each mechanism with the keys that
switch it off or make it ideal, and prints by how much a run became cheaper (+: so much the mechanism costs) per warp
instruction. What only some boards have is measured on one of these. Reading of files and writing of memory cancel out. A mechanism also changes what is simulated: where a row
changes the simulated cycles by 1 % or more, the change stands in brackets, and part of the cost is that of these cycles.

Host instructions are counted by `perf stat` where the processor's counters can be read, else by valgrind (a run then
takes some thirty times as long); `--counter cpu` takes nanoseconds of processor time, which vary from run to run.
"""
import argparse
import json
import pathlib
import sys
import typing

from counting import PREFIX, chosen_counter, kernel_choice, measure

# Blocks of the launch that are simulated: one, one and eight for each of 30 SMs.
KERNELS = {"mad_chain": 30, "matmul_tiled": 30, "vecadd": 240}


def sets(*assignments):
    return [word for assignment in assignments for word in ("--set", assignment)]


# What is switched off or made ideal, and the options that do it.
MECHANISMS = [
    ("first-level instruction cache and those behind it", sets("sm.icache.bytes=0")),
    ("first-level constant cache and those behind it", sets("sm.const_cache.bytes=0")),
    ("register operands read one after the other", sets("sm.latency_cycles.operand_read=0")),
    ("register banks shared by warps", sets("sm.register_file.banks=64")),
    ("few operand collectors", sets("sm.register_file.collectors_per_unit=8")),
    ("second multiplier (dual issue)", sets("sm.dual_issue_mul=false")),
    ("policy: age and type, against loose round-robin", sets("sm.scheduler=loose_round_robin")),
    ("policy: age and type, against oldest first", sets("sm.scheduler=oldest")),
    ("policy: age and type, against greedy then oldest", sets("sm.scheduler=gto")),
    ("policy: age and type, against two levels", sets("sm.scheduler=two_level")),
    ("distance of two instructions of a warp", sets("sm.warp_issue_gap_cycles=2")),
    ("latency of flags", sets("sm.latency_cycles.flags=0")),
    ("latency of branches", sets("sm.latency_cycles.branch=2")),
    ("barriers that take time", sets("sm.latency_cycles.barrier=2", "sm.barrier_threads_per_cycle=32")),
    ("bank conflicts of shared memory (replays)", sets("sm.shared.banks=64")),
    ("latency of shared memory", sets("sm.latency_cycles.shared=0")),
    ("limit on loads in flight", sets("sm.max_memory_transactions_per_thread=64")),
    ("set-up and hand-out of blocks", sets("gpu.cta_launch_cycles=0", "gpu.cta_replacement_cycles=0",
                                           "gpu.cta_dispatch_interval_cycles=0")),
    ("address translation", sets("tlb.ideal=true")),
    ("narrow ports of the crossbar", sets("noc.width_bytes=128")),
    ("narrow ports for requests at the partitions", sets("noc.request_width_bytes=128")),
    ("DRAM: choice of open rows first", sets("dram.scheduler=fcfs")),
    ("DRAM: replies in the order of requests", sets("dram.reply_order=service")),
    ("DRAM: rows and turns held back", sets("dram.row_hold_ns=0", "dram.turn_hold_ns=0")),
    ("DRAM: writes in batches", sets("dram.write_drain_start=1")),
    ("DRAM: refresh", sets("dram.timing.refresh_interval_ns=1000000")),
    ("interval statistics", ["--no-intervals"]),
    ("idle units asleep (negative: what sleeping saves)", ["--no-sleep"]),
    ("SMs ahead of the rest (negative: what that saves)", ["--look-ahead", "1"]),
]

# Those that only some boards have, and the board on which they are measured, whatever --machine says.
MECHANISMS_OF_BOARDS = [
    ("branches and barriers take turns of the MAD unit", sets("sm.control_on_mad=false"), "8800gtx"),
    ("shared operands hold the MAD unit", sets("sm.register_file.shared_operand_cycles=0"), "8800gtx"),
    ("dropped instructions with shared operands take the MAD unit", sets("sm.drop_shared_operands=true"), "8800gtx"),
    ("DRAM: two ranks", sets("dram.timing.ranks=1"), "c1060"),
]


class Row(typing.NamedTuple):
    """Cost and change of cycles by kernel; of the whole run, or of a mechanism."""
    name: str
    whole: bool
    kernels: dict


def compared(base, other):
    """What the mechanism costs per warp instruction, and the change of simulated cycles that it makes, in per cent."""
    if base[1] != other[1]:
        sys.exit(f"a mechanism changed the number of warp instructions from {other[1]} to {base[1]}")
    return (base[0] - other[0]) / base[1], 100.0 * (base[2] - other[2]) / other[2]


def table(program, options):
    """First row of each machine: the whole cost as configured."""
    def run(machine, kernel, extra):
        return measure(program, kernel, options.kernels[kernel], machine, options.counter, extra)

    rows = [(name, extra, options.machine) for name, extra in MECHANISMS] + MECHANISMS_OF_BOARDS
    machine, base = "", {}
    for name, extra, board in rows:
        if options.only and not any(word in name or word in " ".join(extra) for word in options.only):
            continue
        if board != machine:
            machine, base = board, {kernel: run(board, kernel, []) for kernel in options.kernels}
            yield Row(f"all, as configured, {board}", True,
                      {kernel: (values[0] / values[1], 0.0) for kernel, values in base.items()})
        yield Row(f"{name} (`{' '.join(word for word in extra if word != '--set')}`)", False,
                  {kernel: compared(base[kernel], run(board, kernel, extra)) for kernel in options.kernels})


def cell(cost, cycles, first):
    text = f"{cost:.0f}" if first or round(cost) == 0 else f"{cost:+.0f}"
    text = "0" if text == "-0" else text
    return text if abs(cycles) < 1.0 else f"{text} ({cycles:+.0f} % cycles)"


def main():
    parser = argparse.ArgumentParser(description="what each mechanism costs, in host instructions per warp instruction")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--machine", default="gtx280")
    parser.add_argument("--kernel", type=kernel_choice, action="append", help="KERNEL=BLOCKS; repeat")
    parser.add_argument("--only", action="append", help="mechanisms whose name or keys contain this; repeat")
    parser.add_argument("--counter", choices=["auto", *PREFIX], default="auto")
    parser.add_argument("--json", action="store_true", help="one object per row instead of the table")
    options = parser.parse_args()
    options.kernels = dict(options.kernel) if options.kernel else KERNELS
    options.counter = chosen_counter(options.counter)
    program = str(options.program.resolve())
    unit = "ns of processor time" if options.counter == "cpu" else f"host instructions, counted by {options.counter}"
    if not options.json:
        print(f"{unit}, per warp instruction\n\n| mechanism | {' | '.join(options.kernels)} |")
        print("|---|" + "---|" * len(options.kernels))
    for row in table(program, options):
        if options.json:
            print(json.dumps({"mechanism": row.name, "counter": options.counter,
                              "kernels": {kernel: {"cost": cost, "cycles_pct": cycles}
                                          for kernel, (cost, cycles) in row.kernels.items()}}), flush=True)
        else:
            cells = " | ".join(cell(*values, row.whole) for values in row.kernels.values())
            print(f"| {row.name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
