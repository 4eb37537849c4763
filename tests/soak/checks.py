# SPDX-License-Identifier: Apache-2.0
"""What must hold after every command, whatever it was and whatever happened to it. Each check returns findings."""
import json
import os
import pathlib
import signal

import sandbox
from stress import MOST_RESIDENT

DOCUMENTED = {0, 1, 2, 3, 4, 5, 6, 7, 8}
SIGNAL_CODES = {130: signal.SIGINT, 143: signal.SIGTERM}
# Files that change although they were there: the list of runs and the link to the newest.
COUNTED = ("runs/index.csv", "runs/latest")
MADE_BELOW = ("home/", "runs/", "runs")
SECOND_WISH = 1.0  # seconds between two signals that are two wishes


def check_ending(_scene, _command, adversity, outcome):
    status = outcome.status
    if outcome.hung:
        return ["did not end"]
    if outcome.resident > MOST_RESIDENT:
        return [f"took {outcome.resident >> 20} MB of memory"]
    if status < 0:
        ours = set(outcome.sent) | ({signal.SIGPIPE} if adversity.stdout == "closed_out" else set())
        return [] if -status in ours else [f"ended by {signal.Signals(-status).name}, which nobody sent"]
    if status in SIGNAL_CODES:
        return [] if SIGNAL_CODES[status] in outcome.sent else [f"exit {status} without that signal"]
    return [] if status in DOCUMENTED else [f"exit {status} is not documented"]


def check_message(_scene, _command, adversity, outcome):
    if outcome.status < 2 or outcome.status in SIGNAL_CODES:
        return []
    spoken = b"error[" in outcome.err or b"usage:" in outcome.err
    return [] if spoken else [f"exit {outcome.status} without a message"]


def survives(name, command):
    """Nothing that the command was asked to write, nor a folder made for that."""
    return not any(name == output or name.startswith(output + "/") or output.startswith(name + "/") for output in command.outputs)


def may_change(name, command):
    if name in COUNTED or name.startswith("home/"):
        return True
    if command.rewrites_reports and name.startswith("runs/") and name.endswith("/report.html"):
        return True
    return command.kind == "plan" and name.startswith("runs/")


def check_files(command, before, after):
    found = []
    for name, what in before.items():
        now = after.get(name)
        if now == what or may_change(name, command):
            continue
        if survives(name, command):
            found.append(f"input {name!r} was {'removed' if now is None else 'changed'}")
        elif now is None or (what[0] in ("device", "fifo", "folder", "link") and now != what):
            found.append(f"output {name!r} was a {what[0]}, now {now and now[0]}")
    for name in after.keys() - before.keys():
        if survives(name, command) and not name.startswith(MADE_BELOW):
            found.append(f"{name!r} was made and nobody asked for it")
    return found


def leftovers(before, after, outcome):
    """What only KILL, or a second wish to stop, may leave."""
    if signal.SIGKILL in outcome.sent or len(outcome.sent) > 1 or outcome.hung or outcome.status < 0:
        return []
    return [f"left {name!r} behind" for name in after.keys() - before.keys() if ".part" in os.path.basename(name) or name.startswith("tmp/")]


def read_json(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file), ""
    except (OSError, ValueError) as error:
        return None, str(error)


def check_run(scene, command, _adversity, outcome):
    """Exit 0 means that everything is there; a signal that a run obeys, that the statistics are."""
    folder = scene.folder / command.run_folder
    if not command.run_folder or outcome.status not in (0, 130, 143) or not (folder / "run.json").exists():
        missing = command.run_folder and outcome.status == 0 and "--no-out" not in command.arguments
        return [f"exit 0 without {command.run_folder}/run.json"] if missing else []
    found = []
    for name in ("run.json", "stats.json"):
        content, problem = read_json(folder / name)
        if problem:
            found.append(f"exit {outcome.status}, and {name} cannot be read: {problem}")
        elif name == "run.json" and outcome.status == 0 and content.get("status") not in ("ok", "limit"):
            found.append(f"exit 0 with status {content.get('status')!r}")
    return found


def check_outputs(scene, command, _adversity, outcome):
    """After exit 0 every file that was asked for is whole."""
    found = []
    if outcome.status != 0:
        return found
    for argument in command.arguments:
        option, _, name = argument.partition("=")
        path = scene.folder / name
        if option == "--json" and name not in ("", "-") and os.path.isfile(path):
            found += [f"{name}: {problem}" for problem in [read_json(path)[1]] if problem]
    return found


def check_gate(_scene, command, _adversity, outcome):
    if command.unfinished and outcome.status == 0:
        return ["--fail-on passed a run that did not end well"]
    return []


def check_lost_output(_scene, command, adversity, outcome):
    if adversity.stdout == "full_out" and command.prints and outcome.status == 0 and "-q" not in command.arguments:
        return ["its output was lost, and it ended with 0"]
    return []


def check_devices():
    devices = [pathlib.Path("/dev", name) for name in ("null", "full", "zero")]
    return [f"{path} is no device any more" for path in devices if sandbox.describe(path)[0] != "device"]


def findings(scene, command, adversity, outcome, before, after):
    found = [text for check in (check_ending, check_message, check_run, check_outputs, check_gate, check_lost_output)
             for text in check(scene, command, adversity, outcome)]
    return found + check_files(command, before, after) + leftovers(before, after, outcome) + check_devices()
