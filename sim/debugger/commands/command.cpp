// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/commands/command.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>

#include "sim/base/diagnostic.h"
#include "sim/base/slot_reason.h"
#include "sim/base/types.h"

namespace teslasim {
namespace {

constexpr std::uint64_t most_word = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most_steps = 1'000'000'000'000;

WarpName take_warp(CommandReader& reader) {
  const std::uint64_t first = reader.number("the number of a warp", most_word);
  if (!reader.accept(":")) return {std::nullopt, static_cast<std::uint32_t>(first)};
  return {first, static_cast<std::uint32_t>(reader.number("the number of a warp in its block", most_word))};
}

/// A name of C++ may be several words: image::blur, fill<float>.
std::string take_name(CommandReader& reader, std::string_view wanted) {
  std::string name = reader.take(wanted).text;
  if (reader.peek() != ":" && reader.peek() != "<") return name;
  while (!reader.at_end() && reader.peek() != "if") name += reader.take(wanted).text;
  return name;
}

/// Only hexadecimal: what is decimal may be meant as a line. `word` was taken last.
std::uint32_t address_of(const CommandReader& reader, const std::string& word) {
  const bool hexadecimal = word.starts_with("0x");
  const char* const end = word.data() + word.size();
  std::uint32_t address = 0;
  const auto [stop, error] = std::from_chars(word.data() + (hexadecimal ? 2 : 0), end, address, 16);
  if (hexadecimal && error == std::errc{} && stop == end) return address;
  reader.fail(fmt::format("'{}' is not a hexadecimal address", word),
              hexadecimal ? "for example 0x30" : fmt::format("0x{} for a pc, line {} for a line", word, word));
}

DebugPlace take_place(CommandReader& reader) {
  DebugPlace place;
  const bool says_pc = reader.accept("pc");
  if (!says_pc && reader.accept("line")) {
    place.kind = DebugPlace::Kind::line;
    place.number = static_cast<std::uint32_t>(reader.number("the number of a line", most_word));
    return place;
  }
  const bool says_kernel = !says_pc && reader.accept("kernel");
  if (says_kernel || (!says_pc && reader.accept("label"))) {
    place.kind = says_kernel ? DebugPlace::Kind::kernel : DebugPlace::Kind::label;
    place.label = says_kernel ? take_name(reader, "the name of a kernel") : reader.take("a label").text;
    return place;
  }
  const std::string word = take_name(reader, "a pc, line, label or kernel");
  if (word.front() >= '0' && word.front() <= '9') {
    place.kind = DebugPlace::Kind::pc;
    place.number = address_of(reader, word);
    return place;
  }
  if (says_pc) reader.fail(fmt::format("'{}' is not a hexadecimal address", word), "for example 0x30");
  place.kind = DebugPlace::Kind::label;
  place.label = word;
  return place;
}

std::uint64_t take_mask(CommandReader& reader) {
  const CommandWord word = reader.take("full or a mask");
  std::string_view digits = word.text;
  if (digits.starts_with("0x")) digits.remove_prefix(2);
  std::uint32_t mask = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), mask, 16);
  if (digits.empty() || error != std::errc{} || stop != digits.data() + digits.size())
    reader.fail(fmt::format("'{}' is no mask", word.text), "full, or hexadecimal such as 0000ffff");
  return mask;
}

StopCondition take_condition(CommandReader& reader) {
  static constexpr std::array<std::string_view, 4> subjects{"mask", "warp", "block", "sm"};
  StopCondition condition;
  const CommandWord subject = reader.take("a condition");
  unsigned found = 0;
  while (found < subjects.size() && subjects[found] != subject.text) ++found;
  if (found == subjects.size()) {
    const std::string near = nearest_word(subject.text, {"mask", "warp", "block", "sm"});
    reader.fail(fmt::format("no condition is about '{}'", subject.text),
                near.empty() ? "mask, warp, block or sm" : fmt::format("did you mean '{}'?", near));
  }
  condition.subject = static_cast<StopCondition::Subject>(found);
  const CommandWord relation = reader.take("== or !=");
  if (relation.text != "==" && relation.text != "!=")
    reader.fail(fmt::format("'{}' is not == or !=", relation.text), "for example mask!=full or warp==2");
  condition.equal = relation.text == "==";
  if (condition.subject != StopCondition::Subject::mask) {
    condition.value = reader.number("a number", std::numeric_limits<std::uint64_t>::max());
  } else if (reader.accept("full")) {
    condition.full = true;
  } else {
    condition.value = take_mask(reader);
  }
  return condition;
}

StallLimit take_stall(CommandReader& reader) {
  StallLimit stall;
  const CommandWord word = reader.take("the name of a state");
  std::vector<std::string> names;
  bool known = false;
  for (const SlotReasonInfo& row : slot_reasons) {
    if (row.views == ReasonViews::A) continue;
    known = known || is_state_of(word.text, row.name);
    names.emplace_back(row.name);
  }
  if (!known) {
    const std::string near = nearest_word(word.text, names);
    reader.fail(fmt::format("warps have no state '{}'", word.text),
                near.empty() ? "for example mem or mem.global" : fmt::format("did you mean '{}'?", near));
  }
  stall.state = word.text;
  reader.expect(">", "'>' and a share in percent");
  constexpr std::uint64_t whole = 100;
  stall.percent = static_cast<unsigned>(reader.number("a share in percent", whole));
  (void)reader.accept("%");
  return stall;
}

void parse_break(CommandReader& reader, DebugCommand& command) {
  if (reader.accept("stall")) {
    command.stall = take_stall(reader);
    return;
  }
  command.place = take_place(reader);
  if (!reader.accept("if")) return;
  do command.conditions.push_back(take_condition(reader));
  while (reader.accept("and"));
}

void parse_watch(CommandReader& reader, DebugCommand& command) {
  const CommandWord space = reader.take("g[ADDRESS] or s[ADDRESS]");
  if (space.text != "g" && space.text != "s")
    reader.fail(fmt::format("'{}' is no memory that can be watched", space.text), "g[ADDRESS] or s[ADDRESS]");
  WatchedPlace& watched = command.watched;
  watched.shared = space.text == "s";
  reader.expect("[", "'[' and an address");
  if (const std::optional<std::uint64_t> address = reader.accept_number()) {
    if (*address > most_word) reader.fail("an address has 32 bits", "");
    watched.offset = static_cast<std::uint32_t>(*address);
  } else {
    watched.base = reader.take("an address").text;
    if (reader.accept("+")) watched.offset = static_cast<std::uint32_t>(reader.number("a number of bytes", most_word));
  }
  reader.expect("]", "']'");
}

void parse_step(CommandReader& reader, DebugCommand& command) {
  StepSize& step = command.step;
  if (const std::optional<std::uint64_t> count = reader.accept_number()) {
    if (*count == 0 || *count > most_steps)
      reader.fail(fmt::format("a step has between 1 and {} instructions or cycles", most_steps), "");
    step.count = *count;
  }
  if (reader.at_end() || reader.accept("issue")) return;
  if (reader.accept("cycle")) {
    step.unit = StepSize::Unit::cycle;
    return;
  }
  if (reader.accept("warp")) {
    step.unit = StepSize::Unit::warp;
    command.warp = take_warp(reader);
    return;
  }
  const std::string word = reader.take("issue, cycle or warp W").text;
  const std::string near = nearest_word(word, {"issue", "cycle", "warp"});
  reader.fail(fmt::format("a step has no unit '{}'", word),
              near.empty() ? "issue, cycle or warp W" : fmt::format("did you mean '{}'?", near));
}

void parse_registers(CommandReader& reader, DebugCommand& command) {
  if (reader.at_end()) return;
  command.warp = take_warp(reader);
  if (!reader.at_end()) command.lane = static_cast<unsigned>(reader.number("a lane", warp_size - 1));
}

void parse_shared(CommandReader& reader, DebugCommand& command) {
  constexpr std::uint64_t word_bytes = 4, usual_words = 8, most_words = 4096, most_address = 0xffff;
  command.first = reader.number("an address in shared memory", most_address);
  const std::uint64_t words = reader.at_end() ? usual_words : reader.number("a number of words", most_words);
  command.end = command.first + word_bytes * words;
}

void parse_global(CommandReader& reader, DebugCommand& command) {
  if (reader.at_end()) return;
  constexpr std::uint64_t usual_elements = 8;
  command.name = reader.take("the name of a buffer").text;
  if (reader.at_end()) {
    command.end = usual_elements;
    return;
  }
  command.first = reader.number("the number of an element", most_word);
  command.end = command.first + 1;
  if (!reader.accept(":")) return;
  command.end = reader.number("the element behind the last one", most_word);
  if (*command.end <= command.first) reader.fail("the last element comes before the first", "for example 0:8");
}

void parse_list(CommandReader& reader, DebugCommand& command) {
  if (reader.at_end()) return;
  if (reader.accept("all")) {
    command.place.kind = DebugPlace::Kind::everything;
  } else {
    command.place = take_place(reader);
  }
}

/// Other debuggers list much more with it: what is a command here says so.
void parse_info(CommandReader& reader) {
  if (reader.at_end()) return;
  const std::string word = reader.take("something to list: info breaks").text;
  if (word == "breaks" || std::string_view("breakpoints").starts_with(word) ||
      std::string_view("watchpoints").starts_with(word))
    return;
  constexpr std::size_t letters = 3;  // registers are called regs here
  for (const CommandRow& row : command_rows()) {
    if (row.name.starts_with(word.substr(0, letters)))
      reader.fail(fmt::format("info lists breakpoints and watchpoints, not '{}'", word),
                  fmt::format("'{}' is a command of its own: {}", row.name, row.summary));
  }
  reader.fail(fmt::format("info lists breakpoints and watchpoints, not '{}'", word), "info breaks");
}

void parse_arguments(CommandReader& reader, DebugCommand& command) {
  switch (command.kind) {
    case CommandKind::breakpoint:
      return parse_break(reader, command);
    case CommandKind::watch:
      return parse_watch(reader, command);
    case CommandKind::step:
      return parse_step(reader, command);
    case CommandKind::registers:
      return parse_registers(reader, command);
    case CommandKind::shared:
      return parse_shared(reader, command);
    case CommandKind::global:
      return parse_global(reader, command);
    case CommandKind::list:
      return parse_list(reader, command);
    case CommandKind::stack:
      if (!reader.at_end()) command.warp = take_warp(reader);
      return;
    case CommandKind::warp:
      command.warp = take_warp(reader);
      return;
    case CommandKind::sm:
      command.first = reader.number("the number of an SM", most_word);
      return;
    case CommandKind::remove:
      command.first = reader.number("the number of a breakpoint", most_word);
      return;
    case CommandKind::info:
      return parse_info(reader);
    case CommandKind::help:
      if (!reader.at_end()) command.about = &take_command(reader);
      return;
    default:
      return;
  }
}

}  // namespace

bool is_state_of(std::string_view wanted, std::string_view name) {
  if (!name.starts_with(wanted)) return false;
  return name.size() == wanted.size() || name[wanted.size()] == '.';
}

bool has_command(const CommandLine& line) {
  return !words_of(line.text).empty();
}

DebugCommand parse_command(const CommandLine& line) {
  CommandReader reader(line);
  DebugCommand command;
  command.line = line;
  command.kind = take_command(reader).kind;
  parse_arguments(reader, command);
  reader.finish();
  return command;
}

}  // namespace teslasim
