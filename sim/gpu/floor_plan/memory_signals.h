// SPDX-License-Identifier: Apache-2.0
// What waveforms show of blocks and memory, one table each. Counters are those of the launch.
#pragma once

#include <span>

#include "memory/cache/cache_level.h"
#include "memory/cache/line_reader.h"
#include "memory/cache/tag_array.h"
#include "memory/crossbar/crossbar_network.h"
#include "memory/dram/dram_controller.h"
#include "memory/partition/partition.h"
#include "memory/texture/texture_l2.h"
#include "memory/texture/texture_unit.h"
#include "memory/tpc/tpc_memory_port.h"
#include "memory/translation/memory_management_unit.h"
#include "sim/engine/traced_module.h"
#include "sim/gpu/blocks/block_scheduler.h"

namespace teslasim {

[[nodiscard]] std::span<const Signal<BlockScheduler>> signals_of(const BlockScheduler&);
[[nodiscard]] std::span<const Signal<TpcMemoryPort>> signals_of(const TpcMemoryPort&);
[[nodiscard]] std::span<const Signal<TagArray>> signals_of(const TagArray&);
[[nodiscard]] std::span<const Signal<TextureUnit>> signals_of(const TextureUnit&);
[[nodiscard]] std::span<const Signal<CacheLevel>> signals_of(const CacheLevel&);
[[nodiscard]] std::span<const Signal<LineReader>> signals_of(const LineReader&);
[[nodiscard]] std::span<const Signal<CrossbarNetwork>> signals_of(const CrossbarNetwork&);
[[nodiscard]] std::span<const Signal<MemoryManagementUnit>> signals_of(const MemoryManagementUnit&);
[[nodiscard]] std::span<const Signal<Partition>> signals_of(const Partition&);
[[nodiscard]] std::span<const Signal<DramController>> signals_of(const DramController&);
[[nodiscard]] std::span<const Signal<DramChannel>> signals_of(const DramChannel&);
[[nodiscard]] std::span<const Signal<RopUnit>> signals_of(const RopUnit&);
[[nodiscard]] std::span<const Signal<TextureL2>> signals_of(const TextureL2&);

}  // namespace teslasim
