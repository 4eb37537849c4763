# SPDX-License-Identifier: Apache-2.0
"""Random commands: which one, on which inputs, with which options."""
from mutation import EXTREMES
from scene import Command

PRESETS = ["gtx280", "8800gtx", "gtx285", "8600gts", "g210", "gt240", "c870"]
CONDITIONS = ["outputs_ok", "!outputs_ok", "cycles < 100000", "time_ms > 0", "shared.replays == 0", "stall.barrier_pct<=100",
              "launches.0.global.efficiency >= 0.1", "nonsense < 1", "cycles <", "time_ms < nan"]
GATES = ["time_ms>+2%", "cycles>+0", "shared.replays>+0", "time_ms>+nan%", "time_ms>", "nonsense>+1%", "time_ms>+1e400%", "time_ms<-99%"]
WINDOWS = ["cycle:0-400", "cycle:10-5", "pc:0x8#1,+300", "stall:mem>50%,+300", "cycle:", "pc:#,+"]
LISTS = ["0", "0-1", "7", "1-0", "0-4294967295", "", "a", "0,0,1", "18446744073709551616"]


def extreme(random):
    return random.choice(EXTREMES).decode()


def machine(scene, small=False):
    arguments = []
    choice = scene.random.random()
    if choice < 0.12:
        arguments += ["-c", scene.file("machine")]
    elif choice < 0.9:
        arguments += ["-c", "tiny" if small or scene.chance(0.6) else scene.random.choice(PRESETS)]
    if scene.chance(0.15):
        key = scene.random.choice(sorted(scene.pool.keys))
        value = scene.pool.keys[key] if scene.chance(0.3) else extreme(scene.random)
        arguments += ["-s", f"{key}={value}"]
    return arguments


def limits(scene, command):
    bounds = []
    if scene.pool.takes_limit[command]:
        bounds += ["--max-seconds", "4"]
        if command != "calibrate" and scene.chance(0.7):
            bounds += ["--max-cycles", str(scene.random.choice([0, 1, 100, 5000, 40000]))]
    return bounds


def outputs_of_run(scene, command):
    arguments = []
    for option, probability, extension in (("--json", 0.2, ".json"), ("--dump", 0.08, ".npy")):
        if scene.chance(probability):
            name = scene.output(extension, command)
            arguments.append(f"--json={name}" if option == "--json" else f"--dump=data={name}")
    for option in ("--perfetto", "--konata", "--vcd", "--ascii", "--lanes-text", "--no-report", "--no-intervals", "--limit-is-error"):
        if scene.chance(0.05):
            arguments.append(option)
    for option, values in (("--window", WINDOWS), ("--blocks", LISTS), ("--sms", LISTS), ("--expect", CONDITIONS), ("--lanes", ["0x8", "7"]),
                           ("--log", ["isa,issue,mem,sched,barrier", "isa,,mem"]), ("--log-sms", LISTS), ("--log-to", ["100", "5000"]),
                           ("--mode", ["functional"]), ("--warp-sms", LISTS + ["all", "none"]), ("--grid", ["1", "2,2", "0"]),
                           ("--block", ["32", "64,1,1", "513"]), ("--tol", ["0", "nan"]),
                           ("--check", ["data=ones.npy", "data"]), ("--param", ["data=u32[64]:iota", "data=1", "n="]), ("--kernel", ["add_one"])):
        if scene.chance(0.05):
            arguments += [option, scene.random.choice(values)]
    return arguments


def run(scene):
    command = Command("run", ["run", scene.any_input(), "-q"] + machine(scene) + limits(scene, "run"))
    if scene.chance(0.1):
        scene.put(scene.pool.folder / "ones.npy", "npy")
    where = scene.random.random()
    if where < 0.4:
        name = scene.output("", command)
        command.arguments += ["-o", name]
        command.run_folder = name
    elif where < 0.5:
        command.arguments.append("--no-out")
    else:
        command.run_folder = "runs/latest"
    command.arguments += outputs_of_run(scene, command)
    return command


def code(scene):
    name = scene.random.choice(["asm", "disasm"])
    kind = scene.random.choice(["asm", "asm", "cubin", "listing"]) if name == "asm" else scene.random.choice(["cubin", "cubin", "listing", "asm"])
    command = Command("code", [name, scene.file(kind)], prints=True)
    if scene.chance(0.5):
        command.arguments += ["-o", scene.output(".cubin", command)]
        command.prints = False
    if scene.chance(0.5):
        command.arguments += ["--format", scene.random.choice(["decuda", "annotated", "tsv", "asm", "text", "elf", "elf64"])]
    if scene.chance(0.1):
        command.arguments += scene.random.choice([["--allow-unaligned"], ["--retarget", "sm_13"], ["--retarget", "sm_99"]])
    return command


def trace(scene):
    action = scene.random.choice(["record", "record", "info", "cat", "verify", "cut", "convert", "convert"])
    command = Command("trace", ["trace", action])
    if action == "record":
        command.arguments += [scene.kernel(small=True)] + machine(scene, small=True) + limits(scene, "trace")
        command.arguments += ["--mode", scene.random.choice(["functional", "timing"])]
    elif action == "convert":
        command.arguments.append(scene.file(scene.random.choice(["trace", "text_trace", "foreign"])))
        if command.arguments[-1] == "kernelslist.g":
            scene.put(scene.pool.folder / "kernel-1.traceg", "foreign")
    else:
        command.arguments.append(scene.file("trace"))
    if action in ("cut", "cat", "record"):
        for option in ("--launches", "--blocks", "--warps", "--sms", "--addresses"):
            if scene.chance(0.2):
                command.arguments += [option, scene.random.choice(LISTS + ["data", "0x0-0xffff"])]
    if action in ("record", "cut", "convert") and scene.chance(0.95):
        command.arguments += ["-o", scene.output(scene.random.choice([".wtrace", ".wtrace", ".txt"]), command)]
    command.prints = action == "info"
    return command


def plan(scene):
    name, kind = scene.random.choice([("sweep", "plan"), ("sweep", "plan"), ("dse", "exploration")])
    for label in ("add_one", "straight"):
        for suffix in (".asm", ".launch.toml"):
            path = scene.pool.folder / (label + suffix)
            scene.put(path, "asm" if suffix == ".asm" else "launch")
    command = Command("plan", [name, scene.file(kind), "-j", scene.random.choice(["1", "2", "2", "0", "x"])] + limits(scene, name))
    if name == "sweep" and scene.chance(0.4):
        command.arguments += scene.random.choice([["--list"], ["--emit", "parallel"], ["--emit", "slurm"], ["--emit", "other"]])
    if name == "dse" and scene.chance(0.3):
        command.arguments.append("--model-only")
    return command


def compare(scene):
    names = [scene.run() for _ in range(scene.random.choice([1, 2, 2, 2, 3]))]
    command = Command("compare", ["compare", *names], prints=True)
    if scene.chance(0.6):
        for _ in range(scene.random.choice([1, 1, 2])):
            command.arguments += ["--fail-on", scene.random.choice(GATES)]
        command.unfinished = any(label not in ("ok", "other", "functional", "sampled", "bent") for label in scene.laid_runs.values())
    if scene.chance(0.25):
        command.arguments += ["--hw", scene.file("hardware")]
    for option, extension in (("--html", ".html"), ("--json", ".json")):
        if scene.chance(0.2):
            command.arguments.append(f"{option}={scene.output(extension, command)}")
    if scene.chance(0.2):
        command.arguments.append("--all")
    return command


def report(scene):
    names = [scene.run() for _ in range(scene.random.choice([1, 1, 2]))]
    command = Command("report", ["report", *names], rewrites_reports=True)
    if scene.chance(0.6):
        command.arguments += ["-o", scene.output(".html", command)]
    if scene.chance(0.2):
        command.arguments.append("--compare")
    return command


def models(scene):
    command = Command("models", ["models"], prints=True)
    what = scene.random.random()
    if what < 0.25:
        command.arguments += [scene.run()] + limits(scene, "models")
    elif what < 0.5:
        command.arguments += ["--given", scene.file("given")]
    else:
        command.arguments += [scene.kernel(small=not scene.pool.takes_limit["models"])] + machine(scene) + limits(scene, "models")
    for option in ("--explain", "--inputs", "--list"):
        if scene.chance(0.15):
            command.arguments.append(option)
    if scene.chance(0.3):
        command.arguments.append(f"--json={scene.output('.json', command)}")
        command.prints = False
    return command


def machines(scene):
    action = scene.random.choice(["show", "check", "diff", "explain", "list"])
    command = Command("configs", ["configs", action], prints=True)
    if action in ("show", "check"):
        command.arguments += [scene.file("machine")] + machine(scene)
    elif action == "diff":
        command.arguments += [scene.file("machine"), scene.random.choice(PRESETS)]
    elif action == "explain":
        command.arguments.append(scene.random.choice(sorted(scene.pool.keys)))
    return command


def others(scene):
    way = scene.random.choice(["occupancy", "calibrate", "new", "rerun", "explain", "man", "words"])
    command = Command(way, [way])
    if way == "occupancy":
        command.arguments += [scene.any_input()] + machine(scene)
    elif way == "calibrate":
        command.arguments += machine(scene, small=True) + limits(scene, "calibrate") + ["-j", "1", "--export", scene.output(".toml", command)]
    elif way == "new":
        command.arguments += [scene.output("", command)] + scene.random.choice([[], ["saxpy"], ["nonsense"], ["saxpy", "saxpy"]])
    elif way == "rerun":
        command.arguments.append(scene.run())
    elif way == "explain":
        command.arguments.append(scene.random.choice(["MEM-OOB", "cycles", "hong-kim", "sm.shared.banks", "nonsense", "", "bra"]))
    elif way == "man":
        command.arguments.append(scene.random.choice(["run", "sweep", "nonsense"]))
    else:
        words = ["run", "trace", "-c", "-o", "--json", "-", "--", "", "=", "-s", "tiny", "k.asm", "--no-out", "-q", "\u00e9", "--set=", "-W",
                 "error=all"]
        command.arguments = [scene.random.choice(words) for _ in range(scene.random.randint(0, 6))]
        command.outputs.add("-")
    return command


WEIGHTS = [(run, 30), (code, 12), (trace, 16), (plan, 8), (compare, 10), (report, 5), (models, 8), (machines, 6), (others, 8)]


def random_command(scene):
    make = scene.random.choices([make for make, _ in WEIGHTS], [weight for _, weight in WEIGHTS])[0]
    command = make(scene)
    if scene.chance(0.04):
        command.arguments += [scene.random.choice(["-W", "--progress"]), scene.random.choice(["error=all", "ignore=all", "json", "plain", "tty"])]
    return command
