// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/short_pairs.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "frontend/compiler/block_ends.h"
#include "frontend/compiler/block_schedule.h"
#include "frontend/compiler/dependences.h"
#include "frontend/compiler/numbered_code.h"
#include "sim/base/diagnostic.h"

namespace teslasim::compiler {
namespace {

/// How far an instruction is looked for, and how many others may pass one that waits for a neighbour.
constexpr std::size_t window = 16;
constexpr unsigned most_deferrals = 4;

/// The function with the chip's registers instead of virtual ones, so that dependences know what shares a number.
MachineFunction on_numbers(const MachineFunction& function, const RegisterAllocation& allocation) {
  constexpr VirtualRegister first_flag = most_general_registers, first_address = first_flag + most_flag_registers;
  MachineFunction result = function;
  const auto rename = [&](VirtualRegister& one) {
    const RegisterClass kind = function.registers[one];
    one = allocation.number[one] + (kind == RegisterClass::flags     ? first_flag
                                    : kind == RegisterClass::address ? first_address
                                                                     : 0);
  };
  for (MachineBlock& block : result.blocks) {
    for (MachineInstruction& one : block.code) for_each_name(one, rename);
    if (block.end.guard != no_register) rename(block.end.guard);
    if (block.end.returned != no_register) rename(block.end.returned);
  }
  result.registers.assign(first_flag, RegisterClass::general);
  result.registers.insert(result.registers.end(), most_flag_registers, RegisterClass::flags);
  result.registers.insert(result.registers.end(), most_address_registers + 1, RegisterClass::address);
  return result;
}

/// What stands where it is: it carries the join or ends the threads.
struct Pins {
  bool first = false, last = false;
};

class PairScheduler {
 public:
  PairScheduler(const Dependences& dependences, const std::vector<bool>& is_short, Pins pins, bool defers)
      : dependences_(dependences),
        is_short_(is_short),
        pins_(pins),
        defers_(defers),
        missing_(is_short.size()),
        earliest_(is_short.size()),
        left_(given_order(is_short.size())) {
    for (InstructionIndex one = 0; one < is_short.size(); ++one) missing_[one] = dependences.predecessors(one).size();
  }

  BlockOrder run() {
    if (pins_.first) issue(0);
    while (!left_.empty()) issue(next());
    return std::move(order_);
  }

 private:
  /// Instructions that may be taken: the place of the last of them, and one more.
  [[nodiscard]] std::size_t reach() const {
    const std::size_t free = left_.size() - (pins_.last && left_.size() > 1 ? 1 : 0);
    return std::min(window, free);
  }
  [[nodiscard]] LatencyCycles wait(InstructionIndex one) const {
    return earliest_[one] > now_ ? earliest_[one] - now_ : 0;
  }

  /// Place in `left_`.
  [[nodiscard]] std::size_t next() {
    const InstructionIndex head = left_.front();
    if (half_) {
      if (is_short_[head]) return 0;
      return neighbour().value_or(0);
    }
    if (!defers_ || !is_short_[head] || left_.size() < 2 || is_short_[left_[1]] || has_partner(head)) return 0;
    return passing(head).value_or(0);
  }

  /// A short instruction that can stand here without waiting longer than the one whose turn it is; rather not half of a
  /// pair.
  [[nodiscard]] std::optional<std::size_t> neighbour() const {
    std::optional<std::size_t> second_best;
    const LatencyCycles longest = wait(left_.front());
    for (std::size_t at = 1; at < reach(); ++at) {
      const InstructionIndex one = left_[at];
      if (!is_short_[one] || missing_[one] != 0 || wait(one) > longest) continue;
      if (odd_run(at)) return at;
      if (!second_best) second_best = at;
    }
    return second_best;
  }
  /// Is the number of short instructions in a row odd around this place?
  [[nodiscard]] bool odd_run(std::size_t at) const {
    std::size_t begin = at, end = at + 1;
    while (begin > 0 && is_short_[left_[begin - 1]]) --begin;
    while (end < left_.size() && end - begin <= window && is_short_[left_[end]]) ++end;
    return (end - begin) % 2 != 0;
  }
  /// Could another short instruction stand behind this one at once?
  [[nodiscard]] bool has_partner(InstructionIndex head) const {
    for (std::size_t at = 1; at < reach(); ++at) {
      const InstructionIndex one = left_[at];
      if (!is_short_[one] || missing_[one] > 1) continue;
      const std::vector<InstructionIndex>& before = dependences_.predecessors(one);
      if (missing_[one] == 0 || std::find(before.begin(), before.end(), head) != before.end()) return true;
    }
    return false;
  }
  /// A long instruction that goes first, if somebody can become a neighbour later.
  [[nodiscard]] std::optional<std::size_t> passing(InstructionIndex head) {
    if (deferred_ != head) deferrals_ = 0;
    deferred_ = head;
    if (deferrals_ >= most_deferrals) return std::nullopt;
    std::optional<std::size_t> found;
    bool hope = false;
    for (std::size_t at = 1; at < reach(); ++at) {
      const InstructionIndex one = left_[at];
      hope = hope || is_short_[one];
      if (!found && !is_short_[one] && missing_[one] == 0 && wait(one) == 0) found = at;
    }
    if (!hope || !found) return std::nullopt;
    ++deferrals_;
    return found;
  }

  void issue(std::size_t place) {
    const InstructionIndex one = left_[place];
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(place));
    half_ = is_short_[one] && !half_;
    now_ = std::max(now_, earliest_[one]);
    for (const Dependence& next : dependences_.successors(one)) {
      earliest_[next.to] = std::max(earliest_[next.to], now_ + next.latency);
      --missing_[next.to];
    }
    now_ += issue_interval;
    order_.push_back(one);
  }

  const Dependences& dependences_;
  const std::vector<bool>& is_short_;
  Pins pins_;
  bool defers_;
  std::vector<std::size_t> missing_;
  std::vector<LatencyCycles> earliest_;
  BlockOrder left_;
  LatencyCycles now_ = 0;
  bool half_ = false;  ///< a short instruction was issued that has no neighbour
  InstructionIndex deferred_ = ~InstructionIndex{0};
  unsigned deferrals_ = 0;
  BlockOrder order_{};
};

unsigned pairs(const std::vector<bool>& is_short, const BlockOrder& order) {
  unsigned count = 0;
  for (std::size_t at = 0; at + 1 < order.size(); ++at) {
    if (!is_short[order[at]] || !is_short[order[at + 1]]) continue;
    ++count;
    ++at;
  }
  return count;
}

class ShortPairs {
 public:
  ShortPairs(MachineFunction& function, const RegisterAllocation& allocation)
      : function_(function), allocation_(allocation), numbers_(on_numbers(function, allocation)) {}

  void run() {
    for (BlockIndex block = 0; block < function_.blocks.size(); ++block) visit(block);
  }

 private:
  void visit(BlockIndex block) {
    const std::vector<MachineInstruction>& code = function_.blocks[block].code;
    std::vector<bool> is_short;
    for (const MachineInstruction& one : code) is_short.push_back(fits_short(numbered(one, allocation_)));
    Pins pins;
    if (code.size() > 2) {
      pins.first = function_.blocks[block].joins;
      pins.last = ends_threads(function_, block);
      if (pins.first) is_short.front() = false;
      if (pins.last) is_short.back() = false;
    }
    const Dependences dependences(numbers_, block, LiveSet());
    BlockOrder best = given_order(code.size());
    for (const bool defers : {false, true}) {
      BlockOrder order = PairScheduler(dependences, is_short, pins, defers).run();
      if (is_better(dependences, is_short, order, best)) best = std::move(order);
    }
    SIM_CHECK(is_allowed(dependences, best), "a pair that breaks a dependence");
    std::vector<MachineInstruction> result;
    for (const InstructionIndex one : best) result.push_back(code[one]);
    function_.blocks[block].code = std::move(result);
  }

  [[nodiscard]] static bool is_better(const Dependences& dependences, const std::vector<bool>& is_short,
                                      const BlockOrder& one, const BlockOrder& than) {
    const unsigned mine = pairs(is_short, one), theirs = pairs(is_short, than);
    if (mine <= theirs) return false;
    const auto cost = [&](const BlockOrder& order, LatencyCycles interval) {
      return waiting_cycles(dependences, order, interval);
    };
    const double saved = issue_interval * (mine - theirs);
    return cost(one, issue_interval) <= cost(than, issue_interval) + saved &&
           cost(one, shared_issue_interval) <= cost(than, shared_issue_interval) + saved;
  }

  MachineFunction& function_;
  const RegisterAllocation& allocation_;
  MachineFunction numbers_;
};

}  // namespace

void pair_short_forms(MachineFunction& function, const RegisterAllocation& allocation) {
  for (MachineBlock& block : function.blocks)
    std::erase_if(block.code, [&](const MachineInstruction& one) { return is_superfluous(one, allocation); });
  ShortPairs(function, allocation).run();
}

}  // namespace teslasim::compiler
