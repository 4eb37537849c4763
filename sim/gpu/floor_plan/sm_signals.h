// SPDX-License-Identifier: Apache-2.0
// What waveforms show of an SM and of its units, one table each. Counters are those of the launch.
#pragma once

#include <span>

#include "sim/engine/traced_module.h"
#include "sim/sm/sm.h"

namespace teslasim {

[[nodiscard]] std::span<const Signal<Sm>> signals_of(const Sm&);
[[nodiscard]] std::span<const Signal<BlockSlots>> signals_of(const BlockSlots&);
[[nodiscard]] std::span<const Signal<FrontEnd>> signals_of(const FrontEnd&);
[[nodiscard]] std::span<const Signal<FetchUnit>> signals_of(const FetchUnit&);
[[nodiscard]] std::span<const Signal<IssueStage>> signals_of(const IssueStage&);
[[nodiscard]] std::span<const Signal<WarpScheduler>> signals_of(const WarpScheduler&);
[[nodiscard]] std::span<const Signal<Scoreboard>> signals_of(const Scoreboard&);
[[nodiscard]] std::span<const Signal<RegisterFile>> signals_of(const RegisterFile&);
[[nodiscard]] std::span<const Signal<FunctionalUnit>> signals_of(const FunctionalUnit&);
[[nodiscard]] std::span<const Signal<OperandCollectors>> signals_of(const OperandCollectors&);
[[nodiscard]] std::span<const Signal<SharedMemory>> signals_of(const SharedMemory&);
[[nodiscard]] std::span<const Signal<SharedMemoryBanks>> signals_of(const SharedMemoryBanks&);
[[nodiscard]] std::span<const Signal<ConstantPort>> signals_of(const ConstantPort&);
[[nodiscard]] std::span<const Signal<ConstantCache>> signals_of(const ConstantCache&);
[[nodiscard]] std::span<const Signal<LoadStoreUnit>> signals_of(const LoadStoreUnit&);
/// The rules have no state: their module shows what came of them (coalescer_signals).
[[nodiscard]] std::span<const Signal<CoalescingRules>> signals_of(const CoalescingRules&);
[[nodiscard]] std::span<const Signal<LoadStoreUnit>> coalescer_signals();
[[nodiscard]] std::span<const Signal<WriteBack>> signals_of(const WriteBack&);

}  // namespace teslasim
