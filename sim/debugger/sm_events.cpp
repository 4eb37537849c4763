// SPDX-License-Identifier: Apache-2.0
#include "sim/debugger/sm_events.h"

#include <algorithm>
#include <utility>

#include "sim/gpu/recording/effect_capture.h"

namespace teslasim {
namespace {

/// How many times `written` will be called for an instruction that executes.
unsigned results_of(const WarpInst& record) {
  const Instruction& instruction = *record.instruction;
  if (record.memory != nullptr) {
    const MemoryAccess::Kind kind = record.memory->kind;
    return kind == MemoryAccess::Kind::load || kind == MemoryAccess::Kind::atomic ? 1 : 0;
  }
  constexpr std::uint64_t flag_registers = 0xf;
  const auto& words = instruction.writes.words;
  const bool registers = (words[0] | words[1] | (words[2] & ~flag_registers)) != 0;
  return (registers ? 1U : 0U) + ((words[2] & flag_registers) != 0 ? 1U : 0U);
}

}  // namespace

void SmEvents::begin(const WarpStream* stream, unsigned warps) {
  stream_ = stream;
  changed_ = true;
  issues_ = 0;
  warps_.assign(warps, {});
  last_issue_.reset();
  uses_.clear();
  awaited_.clear();
}

bool SmEvents::take_change() {
  return std::exchange(changed_, false);
}

std::vector<SmEvents::Use> SmEvents::uses(SmCycle now) const {
  std::vector<Use> found;
  std::copy_if(uses_.begin(), uses_.end(), std::back_inserter(found),
               [now](const Use& use) { return use.occupation.end > now || use.occupation.collected > now; });
  std::stable_sort(found.begin(), found.end(),
                   [](const Use& a, const Use& b) { return a.occupation.unit < b.occupation.unit; });
  return found;
}

void SmEvents::block_started(unsigned /*slot*/, BlockIndex block, WarpSlot first_warp, unsigned warps,
                             SmCycle /*now*/) {
  changed_ = true;
  for (unsigned i = 0; i < warps; ++i) {
    Warp& warp = warps_.at(first_warp + i);
    warp.block = block;
    ++warp.position;
    std::erase_if(awaited_, [&](const Awaited& one) { return one.warp == first_warp + i; });
  }
}

void SmEvents::block_finished(unsigned /*slot*/, SmCycle /*now*/) {
  changed_ = true;
}

void SmEvents::issued(WarpSlot warp, const WarpInst& record, SmCycle now) {
  changed_ = true;
  ++issues_;
  Warp& one = warps_.at(warp);
  ++one.issues;
  ++one.position;
  last_issue_ = Issue{warp, one.block, record.instruction, record.executed, now};
  if (effects_wanted_) last_issue_->effects = effects_of(record, stream_->values(warp));
  if (listener_ != nullptr) listener_->issued({sm_, warp, one.block}, record, now);
  await(warp, record, now);
}

/// An instruction of a warp does not issue again before its results are written: one that is still here had none.
void SmEvents::await(WarpSlot warp, const WarpInst& record, SmCycle now) {
  std::erase_if(awaited_,
                [&](const Awaited& one) { return one.warp == warp && one.instruction == record.instruction->index; });
  const unsigned results = record.executed == 0 ? 0 : results_of(record);
  if (results != 0) awaited_.push_back({warp, record.instruction->index, results, now});
}

void SmEvents::occupied(WarpSlot warp, const Occupation& occupation) {
  constexpr std::size_t many = 256;
  if (uses_.size() >= many) {
    std::erase_if(uses_, [&](const Use& use) {
      return std::max(use.occupation.end, use.occupation.collected) + many < occupation.begin;
    });
  }
  uses_.push_back({warp, occupation});
}

void SmEvents::written(WarpSlot warp, std::uint32_t instruction, SmCycle /*now*/) {
  const auto found = std::find_if(awaited_.begin(), awaited_.end(), [&](const Awaited& one) {
    return one.warp == warp && one.instruction == instruction;
  });
  if (found != awaited_.end() && --found->results == 0) awaited_.erase(found);
}

}  // namespace teslasim
