// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/inspector.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/disassembler.h"
#include "isa/names.h"
#include "sim/debugger/stops/breakpoint.h"
#include "sim/debugger/views/memory_text.h"
#include "sim/debugger/views/pipeline_text.h"
#include "sim/debugger/views/warp_text.h"

namespace teslasim {
namespace {

constexpr std::uint32_t word_bytes = 4;

std::string warp_words(const WarpName& name) {
  return name.block ? fmt::format("warp {} of block {}", name.number, *name.block)
                    : fmt::format("warp {}", name.number);
}

}  // namespace

void refuse(const CommandLine& line, std::string message, std::string help) {
  const std::vector<CommandWord> words = words_of(line.text);
  const CommandWord& word = words.size() > 1 ? words[1] : words.front();
  Diagnostic diagnostic;
  diagnostic.code = "DEBUG-STATE";
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  diagnostic.where = {line.file, line.line, word.column, static_cast<std::uint32_t>(word.text.size())};
  diagnostic.excerpt = line.text;
  throw InputError(ExitCode::usage, std::move(diagnostic));
}

const HaltedLaunch& Inspector::launch(const CommandLine& line) const {
  if (launch_ == nullptr) refuse(line, "no launch is under way", "the run has ended: global NAME shows its results");
  return *launch_;
}

std::vector<WarpView> Inspector::warps() const {
  std::vector<WarpView> warps;
  launch_->sms[sm_]->view_warps(warps);
  return warps;
}

WarpView Inspector::warp_of(const DebugCommand& command) const {
  (void)launch(command.line);
  const WarpName name = command.warp.value_or(WarpName{std::nullopt, warp_});
  const std::vector<WarpView> here = warps();
  const auto found = std::find_if(here.begin(), here.end(), [&name](const WarpView& warp) {
    return name.block ? warp.block == *name.block && warp.number == name.number : warp.slot == name.number;
  });
  if (found != here.end()) return *found;
  const std::string message = fmt::format("SM {} has no {} now", sm_, warp_words(name));
  if (here.empty()) refuse(command.line, message, "it has no warps: sm N chooses another SM");
  refuse(command.line, message, "warps shows those that it has");
}

std::string Inspector::where_text() const {
  const std::vector<WarpView> here = warps();
  const unsigned blocks = launch_->sms[sm_]->blocks().resident();
  std::string text =
      fmt::format("cycle {}, launch {} of {} ({}), SM {}: {} block{}, {} warp{}", sp_cycles(launch_->now).count(),
                  number_ + 1, prepared_.workload.launches.size(), kernel().name, sm_, blocks, blocks == 1 ? "" : "s",
                  here.size(), here.size() == 1 ? "" : "s");
  if (!here.empty()) text += ": " + state_counts(here);
  return text + "\n";
}

std::string Inspector::where(const DebugCommand& command) const {
  (void)launch(command.line);
  std::string text = where_text();
  unsigned busy = 0;
  for (const Sm* sm : launch_->sms) busy += sm->blocks().resident() != 0 ? 1U : 0U;
  text +=
      fmt::format("blocks of this launch: {}; SMs with blocks: {} of {}\n", launch_->blocks, busy, launch_->sms.size());
  for (const WarpView& warp : warps()) {
    if (warp.slot != warp_) continue;
    text += fmt::format("warp {} (block {}, number {}): ", warp.slot, warp.block, warp.number);
    if (warp.next == nullptr) return text + "finished\n";
    text += fmt::format("{}, lanes {:08x}, next {:#06x}  {}\n", info(warp.state).name, warp.active, warp.next->pc,
                        to_text(*warp.next, &kernel()));
    if (warp.next->source_line != 0) text += fmt::format("line {}\n", warp.next->source_line);
  }
  return text;
}

std::string Inspector::registers(const DebugCommand& command) const {
  const WarpView warp = warp_of(command);
  const LaneMask lanes = launched_lanes(*launch_->launch, warp.number);
  if (command.lane && (lanes >> *command.lane & 1U) == 0)
    refuse(command.line, fmt::format("warp {} has no thread in lane {}", warp.slot, *command.lane));
  return register_text(kernel(), launch_->streams[sm_]->values(warp.slot), lanes, command.lane);
}

std::string Inspector::shared(const DebugCommand& command) const {
  DebugCommand current = command;
  current.warp.reset();
  const WarpView warp = warp_of(current);
  const std::uint64_t bytes = launch_->launch->shared_bytes;
  if (command.first % word_bytes != 0) refuse(command.line, "the address is not a multiple of 4");
  if (command.first >= bytes) refuse(command.line, fmt::format("a block has {} bytes of shared memory", bytes));
  const WarpValues values = launch_->streams[sm_]->values(warp.slot);
  if (!values.known()) refuse(command.line, "values are not known: the input is a recorded trace");
  return words_text(values.shared, command.first, std::min(*command.end, bytes));
}

std::optional<std::size_t> Inspector::buffer_of(const std::string& name) const {
  const auto& launches = prepared_.workload.launches;
  for (const ParameterValue& parameter : launches[std::min(number_, launches.size() - 1)].parameters) {
    if (parameter.name == name && parameter.buffer) return parameter.buffer;
  }
  const auto& buffers = prepared_.workload.buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].name == name) return i;
  }
  return std::nullopt;
}

std::string Inspector::names() const {
  std::string text;
  const auto& buffers = prepared_.workload.buffers;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    text += fmt::format("{}  {}[{}] at {:#x}\n", buffers[i].name, type_name(buffers[i].type), buffers[i].count,
                        run_.address(i));
  }
  const auto& launches = prepared_.workload.launches;
  for (const ParameterValue& parameter : launches[std::min(number_, launches.size() - 1)].parameters) {
    if (!parameter.buffer) {
      text += fmt::format("{}  {} = {}\n", parameter.name, type_name(parameter.type),
                          element_text(parameter.type, reinterpret_cast<const std::byte*>(&parameter.bits)));
    }
  }
  return text.empty() ? "there are no buffers and no parameters\n" : text;
}

std::string Inspector::global(const DebugCommand& command) {
  if (command.name.empty()) return names();
  const std::optional<std::size_t> index = buffer_of(command.name);
  if (!index) {
    std::vector<std::string> known;
    for (const BufferSpec& buffer : prepared_.workload.buffers) known.push_back(buffer.name);
    const auto& launches = prepared_.workload.launches;
    for (const ParameterValue& parameter : launches[std::min(number_, launches.size() - 1)].parameters) {
      if (parameter.name == command.name) {
        return fmt::format("{}  {} = {}\n", parameter.name, type_name(parameter.type),
                           element_text(parameter.type, reinterpret_cast<const std::byte*>(&parameter.bits)));
      }
      known.push_back(parameter.name);
    }
    const std::string near = nearest_word(command.name, known);
    refuse(command.line, fmt::format("no buffer and no parameter has the name '{}'", command.name),
           near.empty() ? "global lists the names" : fmt::format("did you mean '{}'?", near));
  }
  const BufferSpec& buffer = prepared_.workload.buffers[*index];
  if (command.first >= buffer.count)
    refuse(command.line, fmt::format("'{}' has {} elements", command.name, buffer.count));
  const std::uint64_t end = std::min(*command.end, buffer.count), size = bytes_of(buffer.type);
  const std::span<const std::byte> bytes =
      run_.buffer(*index).subspan(command.first * size, (end - command.first) * size);
  return fmt::format("{}  {}[{}]\n{}", buffer.name, type_name(buffer.type), buffer.count,
                     elements_text(buffer.type, bytes, command.first));
}

std::string Inspector::list(const DebugCommand& command) const {
  (void)launch(command.line);
  constexpr std::size_t before = 4, after = 8;
  const std::vector<WarpView> here = warps();
  if (command.place.kind == DebugPlace::Kind::everything)
    return code_text(kernel(), here, 0, kernel().code.size(), std::nullopt);
  std::uint32_t middle = 0;
  if (command.place.kind == DebugPlace::Kind::none) {
    for (const WarpView& warp : here) {
      if (warp.slot == warp_ && warp.next != nullptr) middle = warp.next->index;
    }
  } else {
    const std::vector<std::uint32_t> places = instructions_at(command.place, kernel());
    if (places.empty()) {
      const MissingPlace missing = missing_place(command.place, kernel(), {});
      refuse(command.line, missing.message, missing.help);
    }
    middle = places.front();
  }
  return code_text(kernel(), here, middle < before ? 0 : middle - before, middle + after, middle);
}

std::string Inspector::choose_sm(const DebugCommand& command) {
  const std::size_t count = launch(command.line).sms.size();
  if (command.first >= count) refuse(command.line, fmt::format("the machine has SMs 0-{}", count - 1));
  sm_ = static_cast<unsigned>(command.first);
  const std::vector<WarpView> here = warps();
  warp_ = here.empty() ? WarpSlot{0} : here.front().slot;
  return where_text();
}

std::string Inspector::choose_warp(const DebugCommand& command) {
  warp_ = warp_of(command).slot;
  return where(command);
}

std::string Inspector::answer(const DebugCommand& command) {
  switch (command.kind) {
    case CommandKind::where:
      return where(command);
    case CommandKind::warps:
      (void)launch(command.line);
      return warp_table(warps(), kernel(), warp_);
    case CommandKind::registers:
      return registers(command);
    case CommandKind::shared:
      return shared(command);
    case CommandKind::global:
      return global(command);
    case CommandKind::stack: {
      const WarpView warp = warp_of(command);
      return stack_text(kernel(), warp, launch_->streams[sm_]->divergence(warp.slot));
    }
    case CommandKind::pipeline:
      (void)launch(command.line);
      return pipeline_text(*launch_->sms[sm_], events_[sm_], kernel(), launch_->now);
    case CommandKind::list:
      return list(command);
    case CommandKind::sm:
      return choose_sm(command);
    case CommandKind::warp:
      return choose_warp(command);
    default:
      return command_help(nullptr);
  }
}

Address Inspector::watched_address(const DebugCommand& command) const {
  const WatchedPlace& watched = command.watched;
  const Launch& launch_now = *launch(command.line).launch;
  std::uint64_t address = watched.offset;
  if (watched.shared) {
    if (!watched.base.empty()) refuse(command.line, "shared memory is named by its address", "for example s[0x18]");
    if (address % word_bytes != 0) refuse(command.line, "the address is not a multiple of 4");
    if (address + word_bytes > launch_now.shared_bytes)
      refuse(command.line, fmt::format("a block has {} bytes of shared memory", launch_now.shared_bytes));
    return watched.offset;
  }
  if (!watched.base.empty()) {
    const std::optional<std::size_t> buffer = buffer_of(watched.base);
    if (!buffer) {
      std::vector<std::string> known;
      for (const BufferSpec& one : prepared_.workload.buffers) known.push_back(one.name);
      const std::string near = nearest_word(watched.base, known);
      refuse(command.line, fmt::format("no buffer has the name '{}'", watched.base),
             near.empty() ? "global lists the names" : fmt::format("did you mean '{}'?", near));
    }
    address += run_.address(*buffer);
  }
  if (address % word_bytes != 0) refuse(command.line, "the address is not a multiple of 4");
  constexpr std::uint64_t end = std::uint64_t{1} << 32;
  if (address + word_bytes > end || launch_now.memory->find(static_cast<Address>(address), word_bytes) == nullptr)
    refuse(command.line, fmt::format("no buffer has the word at {:#x}", address), "global lists the buffers");
  return static_cast<Address>(address);
}

}  // namespace teslasim
