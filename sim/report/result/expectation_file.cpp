// SPDX-License-Identifier: Apache-2.0
#include "sim/report/result/expectation_file.h"

#include <string_view>
#include <utility>

#include "sim/base/diagnostic.h"
#include "sim/base/text_file.h"
#include "sim/report/result/expectation.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr std::string_view blanks = " \t";

[[noreturn]] void refuse_file(std::string message, std::string help) {
  Diagnostic diagnostic;
  diagnostic.code = "EXPECT-FILE";
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  throw InputError(ExitCode::input, std::move(diagnostic));
}

/// A line without remark and blanks at its ends; `begin` is where that stands in the line.
struct ConditionText {
  std::size_t begin = 0;
  std::string text;
};

ConditionText condition_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return {begin, std::string(line.substr(begin, line.find_last_not_of(blanks) + 1 - begin))};
}

Diagnostic located(const ExpectationMistake& mistake, const std::string& path, std::uint32_t number,
                   const std::string& line, std::size_t begin) {
  const std::string_view all = line;
  Diagnostic diagnostic;
  diagnostic.code = "CLI-EXPECT";
  diagnostic.message = mistake.message;
  diagnostic.where = {path, number, static_cast<std::uint32_t>(columns(all.substr(0, begin + mistake.begin))) + 1,
                      static_cast<std::uint32_t>(columns(all.substr(begin + mistake.begin, mistake.length)))};
  if (diagnostic.where.length == 0) diagnostic.where.length = 1;
  diagnostic.excerpt = line;
  diagnostic.help = mistake.help;
  return diagnostic;
}

std::vector<std::string> conditions_of(const std::string& path) {
  const TextFile file = read_text_file(path);
  if (!file.error.empty())
    refuse_file("cannot read the conditions in '" + path + "': " + file.error, "--expect @FILE reads FILE");
  std::vector<std::string> conditions;
  std::vector<Diagnostic> mistakes;
  std::uint32_t number = 0;
  for (const std::string& line : lines_of(file.text)) {
    ++number;
    ConditionText condition = condition_of(line);
    if (condition.text.empty()) continue;
    if (const auto wrong = mistake_in_expectation(condition.text))
      mistakes.push_back(located(*wrong, path, number, line, condition.begin));
    conditions.push_back(std::move(condition.text));
  }
  if (!mistakes.empty()) throw InputError(ExitCode::usage, std::move(mistakes));
  // A gate that asks for nothing would let everything pass.
  if (conditions.empty()) refuse_file("'" + path + "' has no condition", "write one per line, e.g. outputs_ok");
  return conditions;
}

}  // namespace

std::vector<std::string> with_expectation_files(const std::vector<std::string>& values) {
  std::vector<std::string> conditions;
  for (const std::string& value : values) {
    if (!value.starts_with('@')) {
      conditions.push_back(value);
      continue;
    }
    const std::vector<std::string> read = conditions_of(value.substr(1));
    conditions.insert(conditions.end(), read.begin(), read.end());
  }
  return conditions;
}

}  // namespace teslasim
