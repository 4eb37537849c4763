// SPDX-License-Identifier: Apache-2.0
// `teslasim completion`: what the shell needs to complete commands, options, machines, configuration keys and words of
// `explain`, generated from the tables of options.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/explain.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/run/console.h"

namespace teslasim {
namespace {

constexpr std::string_view bash_script = R"bash(# teslasim: completion for bash; source <(teslasim completion bash)
_teslasim_options() {
  case $1 in
@OPTIONS@  esac
}
_teslasim() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "@COMMANDS@" -- "$word"))
    return
  fi
  case $before in
    -c|--config) COMPREPLY=($(compgen -W "@MACHINES@" -- "$word") $(compgen -f -- "$word")); return ;;
    -s|--set) compopt -o nospace 2>/dev/null
              COMPREPLY=($(compgen -S = -W "$(teslasim completion keys)" -- "$word")); return ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$(_teslasim_options "$command")" -- "$word"))
  elif [ "$command" = explain ]; then
    COMPREPLY=($(compgen -W "$(teslasim completion words)" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _teslasim teslasim
)bash";
// zsh runs completions written for bash.
constexpr std::string_view zsh_head =
    "#compdef teslasim\n# teslasim: completion for zsh; source <(teslasim completion zsh)\n"
    "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n";

std::string replaced(std::string text, std::string_view mark, const std::string& by) {
  const std::size_t place = text.find(mark);
  return text.replace(place, mark.size(), by);
}

std::string option_words(const Command& command) {
  std::vector<std::string> words;
  for (const Option& option : with_common(command.options())) {
    words.push_back("--" + std::string(option.name));
    if (option.letter != 0) words.push_back(std::string("-") + option.letter);
  }
  return fmt::format("{}", fmt::join(words, " "));
}

std::string script() {
  std::vector<std::string_view> names;
  std::string options;
  for (const Command& command : commands()) {
    names.push_back(command.name);
    options += fmt::format("    {}) echo '{}' ;;\n", command.name, option_words(command));
  }
  std::vector<std::string> machines;
  for (const PresetInfo& preset : preset_list()) machines.push_back(preset.name);
  std::string text = replaced(std::string(bash_script), "@OPTIONS@", options);
  text = replaced(std::move(text), "@COMMANDS@", fmt::format("{}", fmt::join(names, " ")));
  return replaced(std::move(text), "@MACHINES@", fmt::format("{}", fmt::join(machines, " ")));
}

std::string keys() {
  std::string text;
  for (const EffectiveValue& value : load_machine({}, {}).values) text += value.key + "\n";
  return text;
}

std::string words() {
  std::vector<std::string> all = explainable_words();
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return fmt::format("{}\n", fmt::join(all, "\n"));
}

}  // namespace

std::vector<Option> options_of_completion() {
  return {};
}

int completion_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, common_options(), "completion");
  if (answered_help(options, "completion", {})) return 0;
  const std::string what = options.inputs().size() == 1 ? options.inputs().front() : "";
  if (what == "bash") {
    print_result(script());
  } else if (what == "zsh") {
    print_result(std::string(zsh_head) + script());
  } else if (what == "keys") {
    print_result(keys());
  } else if (what == "words") {
    print_result(words());
  } else {
    usage_error("CLI-INPUT", "completion takes the name of a shell: bash or zsh",
                "put into ~/.bashrc: source <(teslasim completion bash)");
  }
  return 0;
}

}  // namespace teslasim
