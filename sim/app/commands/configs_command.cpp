// SPDX-License-Identifier: Apache-2.0
// `teslasim configs`: the machines that can be simulated, and what each of their values means.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/app/cli/command_functions.h"
#include "sim/app/cli/console_options.h"
#include "sim/app/cli/explain.h"
#include "sim/cudart/board_loader.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/report/result/statistic_table.h"
#include "sim/report/result/stats_json.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 4> configs_own_options{{
    {"config", 'c', Arity::values, "CONFIG", "a further file on top (show, check)"},
    {"set", 's', Arity::values, "KEY=VALUE", "override one value (show, check)"},
    {"explain", 0, Arity::flag, "", "show: range, source and meaning of each value"},
    {"stats", 0, Arity::flag, "", "reference, schema: of stats.json instead of machine files"},
}};
constexpr std::string_view actions_help =
    "\n  list                 the presets\n"
    "  show [NAME|FILE]     the effective machine as TOML, every value with its origin\n"
    "  diff A B             the values in which two machines differ\n"
    "  check FILE...        read files and say what is wrong with them\n"
    "  explain KEY          what a key means\n"
    "  reference [--stats]  all keys, or all statistics, as a Markdown manual\n"
    "  schema [--stats]     JSON Schema of machine files, or of stats.json\n";

int list(const ParsedOptions&) {
  print_result(fmt::format("{:<13}{:<36}{:<7}{:>4}{:>12}{:>10}{:>12}\n", "name", "machine", "arch", "SMs", "shader MHz",
                           "GB/s", "GFLOP/s"));
  for (const PresetInfo& preset : preset_list()) {
    print_result(fmt::format("{:<13}{:<36}{:<7}{:>4}{:>12.0f}{:>10.1f}{:>12.1f}\n", preset.name, preset.title,
                             preset.arch, preset.sms, preset.shader_mhz, preset.peak_gbs_dram, preset.peak_gflops_mad));
  }
  return 0;
}

/// A machine, and the board that CUDA programs see around it.
struct Shown {
  LoadedMachine machine;
  cudart::LoadedBoard board;
};

Shown load(const ParsedOptions& options, std::size_t first_input) {
  std::vector<std::string> layers(options.inputs().begin() + static_cast<std::ptrdiff_t>(first_input),
                                  options.inputs().end());
  const std::vector<std::string> more = options.all("config");
  layers.insert(layers.end(), more.begin(), more.end());
  const cudart::SetWords sets = cudart::told_apart(options.all("set"));
  return {load_machine(layers, sets.machine), cudart::load_board(layers, sets.board)};
}

int show(const ParsedOptions& options) {
  Shown shown = load(options, 1);
  report_warnings(shown.machine.warnings, console_options(options));
  if (!options.has("explain")) {
    print_result(effective_toml(shown.machine) + cudart::board_comment(shown.board));
    return 0;
  }
  std::vector<EffectiveValue>& values = shown.machine.values;
  values.insert(values.end(), shown.board.values.begin(), shown.board.values.end());
  for (const EffectiveValue& value : values) {
    print_result(fmt::format("{} = {} {}\n    {}{}\n    from: {}{}\n", value.key, value.value, value.unit,
                             value.description, value.range.empty() ? "" : " (" + value.range + ")", value.origin,
                             value.source.empty() ? "" : "; source: " + value.source));
  }
  return 0;
}

LoadedMachine with_board(const std::string& name) {
  LoadedMachine machine = load_machine({name}, {});
  const std::vector<EffectiveValue> board = cudart::load_board(std::vector{name}, {}).values;
  machine.values.insert(machine.values.end(), board.begin(), board.end());
  return machine;
}

int difference(const ParsedOptions& options) {
  if (options.inputs().size() != 3)
    usage_error("CLI-INPUT", "configs diff takes two machines", "teslasim configs diff gtx280 8800gtx");
  const std::string left_name = options.inputs()[1], right_name = options.inputs()[2];
  const std::vector<ConfigDifference> rows = diff(with_board(left_name), with_board(right_name));
  std::size_t key_width = 3, value_width = left_name.size();
  for (const ConfigDifference& row : rows) {
    key_width = std::max(key_width, row.key.size());
    value_width = std::max(value_width, row.left.size());
  }
  print_result(fmt::format("{:<{}}  {:<{}}  {}\n", "key", key_width, left_name, value_width, right_name));
  for (const ConfigDifference& row : rows) {
    print_result(fmt::format("{:<{}}  {:<{}}  {}{}\n", row.key, key_width, row.left, value_width, row.right,
                             row.unit.empty() ? "" : "   [" + row.unit + "]"));
  }
  print_result(fmt::format("{} values differ\n", rows.size()));
  return 0;
}

int check(const ParsedOptions& options) {
  if (options.inputs().size() < 2)
    usage_error("CLI-INPUT", "configs check takes the files to check", "teslasim configs check my.toml");
  std::vector<Diagnostic> errors;
  for (std::size_t i = 1; i < options.inputs().size(); ++i) {
    const std::string& file = options.inputs()[i];
    try {
      std::vector<std::string> layers{file};
      const std::vector<std::string> more = options.all("config");
      layers.insert(layers.end(), more.begin(), more.end());
      const LoadedMachine machine = load_machine(layers, options.all("set"));
      report_warnings(machine.warnings, console_options(options));
      print_result(fmt::format("{}: ok ({}, {}, {} SM{})\n", file, machine.spec.name, machine.spec.arch,
                               machine.spec.sms(), machine.spec.sms() == 1 ? "" : "s"));
    } catch (const InputError& error) {
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!errors.empty()) throw InputError(ExitCode::configuration, errors);
  return 0;
}

int explain_key(const ParsedOptions& options) {
  if (options.inputs().size() != 2)
    usage_error("CLI-INPUT", "configs explain takes one key", "teslasim configs explain sm.shared.banks");
  print_result(explain_configuration_key(options.inputs()[1]));
  return 0;
}

int reference(const ParsedOptions& options) {
  print_result(options.has("stats") ? statistics_markdown()
                                    : config_reference_markdown() + cudart::board_reference_markdown());
  return 0;
}

int schema(const ParsedOptions& options) {
  print_result(options.has("stats") ? stats_json_schema() : machine_json_schema());
  return 0;
}

struct Action {
  std::string_view name;
  int (*run)(const ParsedOptions&);
};
constexpr std::array<Action, 7> actions{{{"list", list},
                                         {"show", show},
                                         {"diff", difference},
                                         {"check", check},
                                         {"explain", explain_key},
                                         {"reference", reference},
                                         {"schema", schema}}};

}  // namespace

std::vector<Option> options_of_configs() {
  return {configs_own_options.begin(), configs_own_options.end()};
}

int configs_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, with_common(configs_own_options), "configs");
  if (answered_help(options, "configs", configs_own_options, actions_help)) return 0;
  std::vector<std::string> names;
  for (const Action& action : actions) {
    if (!options.inputs().empty() && options.inputs().front() == action.name) return action.run(options);
    names.emplace_back(action.name);
  }
  if (options.inputs().empty()) return list(options);
  const std::string near = nearest_word(options.inputs().front(), names);
  usage_error(
      "CLI-COMMAND", "unknown action '" + options.inputs().front() + "' of configs",
      near.empty() ? fmt::format("the actions are {}", fmt::join(names, ", ")) : "did you mean '" + near + "'?");
}

}  // namespace teslasim
