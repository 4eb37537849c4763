# SPDX-License-Identifier: Apache-2.0
"""A launch file with the launches of one kernel only, whose buffers lie as if there were no others, as `validate` runs them."""
import tomllib


def value_text(value):
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    return str(value).lower() if isinstance(value, bool) else repr(value)


def parameter_text(parameter):
    return "  { " + ", ".join(f"{key} = {value_text(value)}" for key, value in parameter.items()) + " },"


def full(parameter, known):
    """The parameter with what an earlier launch said of its buffer or number."""
    name = parameter.get("buffer", parameter["name"])
    if "type" in parameter:
        known[name] = {key: value for key, value in parameter.items() if key not in ("name", "buffer")}
    words = {"name": parameter["name"]}
    if "value" not in known[name] or "count" in known[name]:
        words["buffer"] = name
    return words | known[name]


def launch_alone(path, kernel):
    """The text of the new file."""
    whole = tomllib.loads(path.read_text(encoding="utf-8"))
    known, mentioned, lines = {}, set(), ['schema = "teslasim.launch/1"']
    for launch in whole.get("launch", [whole]):
        parameters = [full(parameter, known) for parameter in launch.get("param", whole.get("param"))]
        name = launch.get("kernel", whole.get("kernel"))
        if name != kernel:
            continue
        lines += ["[[launch]]", f'kernel = "{name}"']
        lines += [f"{key} = {value_text(launch.get(key, whole.get(key)))}" for key in ("grid", "block")]
        lines.append("param = [")
        for parameter in parameters:
            buffer = parameter.get("buffer")
            if buffer in mentioned:
                parameter = {"name": parameter["name"], "buffer": buffer}
            if buffer:
                mentioned.add(buffer)
            lines.append(parameter_text(parameter))
        lines.append("]")
    if not mentioned:
        raise KeyError(f"{path} does not launch {kernel}")
    return "\n".join(lines) + "\n"
