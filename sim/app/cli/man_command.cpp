// SPDX-License-Identifier: Apache-2.0
// `teslasim man`: manual pages in man(7) format, generated from the tables of commands and options.
#include <fmt/format.h>

#include "sim/app/cli/command_functions.h"
#include "sim/run/console.h"
#include "sim/run/version.h"

namespace teslasim {
namespace {

/// Text as roff takes it: no escapes, no line that looks like a request, hyphens that can be searched for.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  const bool request = result.starts_with('.') || result.starts_with('\'');
  return request ? "\\&" + result : result;
}

std::string heading(std::string_view name, std::string_view summary, std::string_view synopsis) {
  return fmt::format(".TH \"{}\" 1 \"\" \"{}\" \"User commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B teslasim\n{}\n",
                     name, roff(version_line()), roff(name), roff(summary), roff(synopsis));
}

std::string signature(const Option& option) {
  std::string text = option.letter == 0 ? "" : fmt::format("\\fB\\-{}\\fR, ", option.letter);
  text += fmt::format("\\fB\\-\\-{}\\fR", roff(option.name));
  if (option.arity == Arity::flag) return text;
  const std::string value = fmt::format("\\fI{}\\fR", roff(option.value_name));
  return text + (is_optional(option.arity) ? "[=" + value + "]" : " " + value);
}

std::string options_section(std::span<const Option> options) {
  std::string text = ".SH OPTIONS\n";
  for (const Option& option : options) text += ".TP\n" + signature(option) + "\n" + roff(option.text) + "\n";
  return text;
}

constexpr std::string_view exit_section =
    ".SH EXIT STATUS\n"
    "0 done; 1 a check failed; 2 usage; 3 configuration or launch file invalid; 4 input not readable; 5 the kernel did "
    "something illegal; 6 stuck; 7 limit of the host; 8 environment; 70 a bug in teslasim; 130 and 143 interrupted.\n";
constexpr std::string_view environment_section =
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBNO_COLOR\\fR\nno colours, as with \\-\\-color=never\n"
    ".TP\n\\fBTESLASIM_CACHE\\fR\nwhere calibrations are kept\n";

std::string program_page() {
  std::string text =
      heading("teslasim", "cycle-level simulator of NVIDIA Tesla-class GPUs (G80, GT200)", "COMMAND [OPTIONS]");
  text += ".SH COMMANDS\n";
  for (const Command& command : commands())
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(command.name), roff(command.summary));
  text += options_section(common_options());
  text += std::string(exit_section) + std::string(environment_section);
  return text + ".SH SEE ALSO\nteslasim COMMAND \\-\\-help, teslasim explain WORD, teslasim man COMMAND\n";
}

std::string page_of(const Command& command) {
  const std::string name = "teslasim-" + std::string(command.name);
  std::string text = heading(name, command.summary, command.synopsis);
  text += options_section(with_common(command.options()));
  return text + std::string(exit_section);
}

}  // namespace

std::vector<Option> options_of_man() {
  return {};
}

int man_command(const Arguments& arguments) {
  const ParsedOptions options = parse_options(arguments, common_options(), "man");
  if (answered_help(options, "man", {})) return 0;
  if (options.inputs().size() > 1) usage_error("CLI-INPUT", "man takes one command", "teslasim man run | man -l -");
  if (options.inputs().empty()) {
    print_result(program_page());
    return 0;
  }
  print_result(page_of(find_command(options.inputs().front())));
  return 0;
}

}  // namespace teslasim
