// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "frontend/clang/kernel_names.h"
#include "sim/base/diagnostic.h"
#include "sim/run/block_choice.h"
#include "sim/run/usage_error.h"

namespace teslasim::cudart {
namespace {

constexpr const char* mode_help =
    "functional, timing, timing:every=10, timing:launches=0-3,7 or timing:kernels=NAME,NAME";

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Names between commas, of which those of templates have some of their own: fill<int, 3>,scan(int, int).
std::vector<std::string> kernels_of(std::string_view list) {
  std::vector<std::string> names(1);
  unsigned depth = 0;
  for (const char c : list) {
    if (c == '<' || c == '(') ++depth;
    if ((c == '>' || c == ')') && depth != 0) --depth;
    if (c == ',' && depth == 0)
      names.emplace_back();
    else if (c != ' ' || depth != 0)
      names.back() += c;
  }
  std::erase(names, "");
  return names;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, separator);) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

/// Reads variables and collects what is wrong with them.
class VariableReader {
 public:
  explicit VariableReader(const std::function<const char*(const char*)>& variable) : variable_(variable) {}

  std::string text(const char* name, std::string otherwise = "") {
    const char* value = variable_(name);
    return value == nullptr || *value == '\0' ? std::move(otherwise) : value;
  }
  std::vector<std::string> words(const char* name) { return split(text(name), ' '); }

  template <typename Number>
  Number number(const char* name, Number least, Number otherwise) {
    const std::string value = text(name);
    if (value.empty()) return otherwise;
    const std::optional<Number> read = number_of<Number>(value);
    if (read && *read >= least) return *read;
    complain(fmt::format("{}: '{}' is no number of at least {}", name, value, least), "");
    return otherwise;
  }
  bool one_of(const char* name, std::string_view yes, std::string_view no, bool otherwise) {
    const std::string value = text(name);
    if (value.empty()) return otherwise;
    if (value != yes && value != no) complain(fmt::format("{}: '{}' is neither {} nor {}", name, value, yes, no), "");
    return value == yes;
  }
  ModeChoice mode(const char* name) {
    ModeChoice choice;
    attempt([&] { choice = ModeChoice::parse(text(name, "timing")); });
    return choice;
  }
  SampleRequest sample(const char* name, const ModeChoice& mode, const std::string& record) {
    SampleRequest request;
    if (text(name).empty()) return request;
    attempt([&] { request = SampleRequest::parse(text(name)); });
    if (request.launches && mode.kind != ModeChoice::Kind::timing)
      complain(fmt::format("{}: a sample chooses which launches run in time, and so does the mode", name),
               "leave one of them out");
    if (request.blocks && mode.kind == ModeChoice::Kind::functional)
      complain(fmt::format("{}: a sample of blocks extrapolates a time, and the functional mode has none", name),
               "leave one of them out");
    if (request.blocks && !record.empty())
      complain(fmt::format("{}: a trace wants all blocks of a launch in one mode", name), "leave one of them out");
    return request;
  }
  void throw_if_any() {
    if (!found_.empty()) throw InputError(ExitCode::usage, std::move(found_));
  }

 private:
  template <typename Action>
  void attempt(Action action) {
    try {
      action();
    } catch (const InputError& error) {
      found_.insert(found_.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  void complain(std::string message, std::string help) {
    Diagnostic problem;
    problem.code = "CLI-VALUE";
    problem.message = std::move(message);
    problem.help = std::move(help);
    found_.push_back(std::move(problem));
  }

  const std::function<const char*(const char*)>& variable_;
  std::vector<Diagnostic> found_;
};

}  // namespace

Mode ModeChoice::mode_of(std::uint64_t launch, const std::string& kernel) const {
  const auto timed = [](bool is) { return is ? Mode::timing : Mode::functional; };
  switch (kind) {
    case Kind::functional:
      return Mode::functional;
    case Kind::timing:
      return Mode::timing;
    case Kind::every:
      return timed(launch % every == 0);
    case Kind::launches:
      return timed(this->launches.contains(launch));
    case Kind::kernels:
      return timed(std::any_of(kernels.begin(), kernels.end(),
                               [&kernel](const std::string& name) { return cuda::is_called(kernel, name); }));
  }
  return Mode::timing;
}

ModeChoice ModeChoice::parse(const std::string& text) {
  constexpr std::string_view every_word = "timing:every=", launches_word = "timing:launches=",
                             kernels_word = "timing:kernels=";
  ModeChoice choice;
  if (text == "timing") return choice;
  if (text == "functional") {
    choice.kind = Kind::functional;
    return choice;
  }
  if (text.starts_with(every_word)) {
    const std::optional<std::uint64_t> number = number_of<std::uint64_t>(text.substr(every_word.size()));
    if (!number || *number == 0) usage_error("CLI-VALUE", "mode '" + text + "' needs a number from 1 on", mode_help);
    choice.kind = Kind::every;
    choice.every = *number;
    return choice;
  }
  if (text.starts_with(launches_word) && text.size() > launches_word.size()) {
    choice.kind = Kind::launches;
    choice.launches = parse_ranges("mode timing:launches", text.substr(launches_word.size()));
    return choice;
  }
  if (text.starts_with(kernels_word)) choice.kernels = kernels_of(text.substr(kernels_word.size()));
  if (choice.kernels.empty()) usage_error("CLI-VALUE", "there is no mode '" + text + "'", mode_help);
  choice.kind = Kind::kernels;
  return choice;
}

Control read_control(const std::function<const char*(const char*)>& variable) {
  VariableReader reader(variable);
  Control control;
  control.machines = reader.words("TESLASIM_MACHINE");
  control.sets = reader.words("TESLASIM_SET");
  control.mode = reader.mode("TESLASIM_MODE");
  control.out = reader.text("TESLASIM_OUT");
  control.runs = reader.text("TESLASIM_RUNS", "runs");
  control.record = reader.text("TESLASIM_RECORD");
  control.max_instructions = reader.number<std::uint64_t>("TESLASIM_MAX_INSTRUCTIONS", 1, never);
  control.max_cycles = reader.number<std::uint64_t>("TESLASIM_MAX_CYCLES", 1, never);
  control.max_seconds = reader.number<double>("TESLASIM_MAX_SECONDS", 0.0, 0.0);
  control.threads = reader.number<unsigned>("TESLASIM_THREADS", 1, 1);
  control.sample = reader.sample("TESLASIM_SAMPLE", control.mode, control.record);
  control.quiet = reader.one_of("TESLASIM_QUIET", "1", "0", false);
  control.only_buffers = reader.one_of("TESLASIM_BOUNDS", "buffers", "board", true);
  control.copies_take_time = reader.one_of("TESLASIM_COPIES", "timed", "free", true);
  reader.throw_if_any();
  return control;
}

}  // namespace teslasim::cudart
