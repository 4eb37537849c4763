// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/memory_signals.h"

#include <array>
#include <cstdint>

namespace teslasim {
namespace {

constexpr unsigned flag = 1, small = 16, counter = 32;

constexpr std::array block_rows{
    Signal<BlockScheduler>{"dispatched", counter,
                           [](const BlockScheduler& scheduler, std::uint64_t) { return scheduler.dispatched(); }},
    Signal<BlockScheduler>{"finished", counter,
                           [](const BlockScheduler& scheduler, std::uint64_t) { return scheduler.finished(); }},
};

constexpr std::array port_rows{
    Signal<TpcMemoryPort>{"requests", counter,
                          [](const TpcMemoryPort& port, std::uint64_t) { return port.requests(); }},
    Signal<TpcMemoryPort>{"responses", counter,
                          [](const TpcMemoryPort& port, std::uint64_t) { return port.responses(); }},
    Signal<TpcMemoryPort>{"tlb_misses", counter,
                          [](const TpcMemoryPort& port, std::uint64_t) { return port.tlb_misses(); }},
};

constexpr std::array tag_rows{
    Signal<TagArray>{"lines", counter, [](const TagArray& tags, std::uint64_t) { return std::uint64_t{tags.size()}; }},
};

constexpr std::array texture_rows{
    Signal<TextureUnit>{"busy", flag,
                        [](const TextureUnit& textures, std::uint64_t) { return std::uint64_t{textures.busy()}; }},
    Signal<TextureUnit>{"hits", counter,
                        [](const TextureUnit& textures, std::uint64_t) { return textures.statistics().l1.hits; }},
    Signal<TextureUnit>{"misses", counter,
                        [](const TextureUnit& textures, std::uint64_t) { return textures.statistics().l1.misses; }},
};

std::uint64_t level_hits(const CacheLevel& level, std::uint64_t) {
  return level.statistics(LineKind::instruction).hits + level.statistics(LineKind::constant).hits;
}

std::uint64_t level_misses(const CacheLevel& level, std::uint64_t) {
  return level.statistics(LineKind::instruction).misses + level.statistics(LineKind::constant).misses;
}

constexpr std::array level_rows{
    Signal<CacheLevel>{"hits", counter, level_hits},
    Signal<CacheLevel>{"misses", counter, level_misses},
};

constexpr std::array reader_rows{
    Signal<LineReader>{"sent", counter, [](const LineReader& reader, std::uint64_t) { return reader.sent(); }},
    Signal<LineReader>{"answered", counter, [](const LineReader& reader, std::uint64_t) { return reader.answered(); }},
};

constexpr std::array network_rows{
    Signal<CrossbarNetwork>{"passed", counter,
                            [](const CrossbarNetwork& network, std::uint64_t) { return network.passed(); }},
};

constexpr std::array management_rows{
    Signal<MemoryManagementUnit>{"look_ups", counter,
                                 [](const MemoryManagementUnit& unit, std::uint64_t) { return unit.look_ups(); }},
    Signal<MemoryManagementUnit>{"walks", counter,
                                 [](const MemoryManagementUnit& unit, std::uint64_t) { return unit.walks(); }},
};

constexpr std::array partition_rows{
    Signal<Partition>{"stores", counter,
                      [](const Partition& partition, std::uint64_t) { return partition.stores_performed(); }},
};

constexpr std::array controller_rows{
    Signal<DramController>{"reads", small,
                           [](const DramController& controller, std::uint64_t) {
                             return std::uint64_t{controller.used(DramController::Direction::read)};
                           }},
    Signal<DramController>{"writes", small,
                           [](const DramController& controller, std::uint64_t) {
                             return std::uint64_t{controller.used(DramController::Direction::write)};
                           }},
    Signal<DramController>{"row_hits", counter,
                           [](const DramController& controller, std::uint64_t) { return controller.row_hits(); }},
};

constexpr std::array channel_rows{
    Signal<DramChannel>{"writing", flag,
                        [](const DramChannel& channel, std::uint64_t) {
                          return std::uint64_t{channel.direction() == DramChannel::Direction::write};
                        }},
    Signal<DramChannel>{"activates", counter,
                        [](const DramChannel& channel, std::uint64_t) { return channel.activates(); }},
    Signal<DramChannel>{"busy_cycles", counter,
                        [](const DramChannel& channel, std::uint64_t) { return channel.busy_cycles(); }},
};

constexpr std::array rop_rows{
    Signal<RopUnit>{"operations", counter, [](const RopUnit& rop, std::uint64_t) { return rop.operations(); }},
};

constexpr std::array texture_l2_rows{
    Signal<TextureL2>{"hits", counter, [](const TextureL2& cache, std::uint64_t) { return cache.statistics().hits; }},
    Signal<TextureL2>{"misses", counter,
                      [](const TextureL2& cache, std::uint64_t) { return cache.statistics().misses; }},
};

}  // namespace

std::span<const Signal<BlockScheduler>> signals_of(const BlockScheduler&) {
  return block_rows;
}
std::span<const Signal<TpcMemoryPort>> signals_of(const TpcMemoryPort&) {
  return port_rows;
}
std::span<const Signal<TagArray>> signals_of(const TagArray&) {
  return tag_rows;
}
std::span<const Signal<TextureUnit>> signals_of(const TextureUnit&) {
  return texture_rows;
}
std::span<const Signal<CacheLevel>> signals_of(const CacheLevel&) {
  return level_rows;
}
std::span<const Signal<LineReader>> signals_of(const LineReader&) {
  return reader_rows;
}
std::span<const Signal<CrossbarNetwork>> signals_of(const CrossbarNetwork&) {
  return network_rows;
}
std::span<const Signal<MemoryManagementUnit>> signals_of(const MemoryManagementUnit&) {
  return management_rows;
}
std::span<const Signal<Partition>> signals_of(const Partition&) {
  return partition_rows;
}
std::span<const Signal<DramController>> signals_of(const DramController&) {
  return controller_rows;
}
std::span<const Signal<DramChannel>> signals_of(const DramChannel&) {
  return channel_rows;
}
std::span<const Signal<RopUnit>> signals_of(const RopUnit&) {
  return rop_rows;
}
std::span<const Signal<TextureL2>> signals_of(const TextureL2&) {
  return texture_l2_rows;
}

}  // namespace teslasim
