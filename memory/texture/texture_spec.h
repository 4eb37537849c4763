// SPDX-License-Identifier: Apache-2.0
// Parameters of the texture unit of a TPC, of its caches, and of the second-level texture caches of the partitions.
#pragma once

#include <string>

#include "memory/cache/tag_array.h"
#include "sim/base/config.h"

namespace teslasim {

struct TextureUnitSpec {
  unsigned address_units = 8;
  unsigned filter_units = 8;
  unsigned lines_per_cycle = 4;
  unsigned queue = 128;
  double address_ns = 16.0;
  double filter_ns = 16.0;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("address_units", &TextureUnitSpec::address_units, 1, 64, "lanes",
              "lanes whose coordinates become addresses in a core cycle; lanes come in groups of four"),
        field("filter_units", &TextureUnitSpec::filter_units, 1, 64, "lanes",
              "bilinear samples in a core cycle; a read without a filter costs one, a trilinear one two"),
        field("lines_per_cycle", &TextureUnitSpec::lines_per_cycle, 1, 64, "lines",
              "different lines of one half-warp that are looked up in a core cycle"),
        field("queue", &TextureUnitSpec::queue, 1, 4096, "half-warps",
              "that wait for their texels or for those before them: replies leave in the order of the requests"),
        field("address_ns", &TextureUnitSpec::address_ns, 0.0, 10000.0, "ns",
              "from the look-up of a line to its request to the second level, or to its texels on a hit"),
        field("filter_ns", &TextureUnitSpec::filter_ns, 0.0, 10000.0, "ns",
              "from the last texel, through the filter, to the reply"));
  }
};

/// The first level: the SMs of the TPC have a fixed share each.
struct TextureCacheSpec {
  unsigned bytes_per_sm = 8192;
  unsigned ways = 32;
  unsigned linear_ways = 20;
  unsigned line_bytes = 32;
  unsigned misses = 128;
  std::string replacement = "lru";
  static constexpr auto fields(const auto& visit) {
    return visit(field("bytes_per_sm", &TextureCacheSpec::bytes_per_sm, 1024, 1048576, "bytes", "share of one SM"),
                 field("ways", &TextureCacheSpec::ways, 1, 64, "ways", "associativity"),
                 field("linear_ways", &TextureCacheSpec::linear_ways, 1, 64, "ways",
                       "of these, usable for images that are linear in memory"),
                 field("line_bytes", &TextureCacheSpec::line_bytes, power_of_two{32, 128}, "bytes", "line"),
                 field("misses", &TextureCacheSpec::misses, 1, 1024, "lines", "lines that may be under way to the TPC"),
                 field("replacement", &TextureCacheSpec::replacement, choice{"lru", "fifo", "random"}, "",
                       "which line of a set leaves"));
  }
  [[nodiscard]] CacheGeometry geometry() const { return {bytes_per_sm, ways, line_bytes}; }
};

/// The second level: each partition holds the lines of its own memory.
struct TextureL2Spec {
  unsigned bytes = 32768;
  unsigned ways = 8;
  unsigned line_bytes = 256;
  unsigned misses = 16;
  unsigned waiting = 128;
  double hit_ns = 12.0;
  std::string replacement = "lru";
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("bytes", &TextureL2Spec::bytes, 1024, 16777216, "bytes", "size, of one partition"),
        field("ways", &TextureL2Spec::ways, 1, 64, "ways", "associativity"),
        field("line_bytes", &TextureL2Spec::line_bytes, power_of_two{32, 1024}, "bytes",
              "line, read from memory as a whole; at most dram.interleave_bytes"),
        field("misses", &TextureL2Spec::misses, 1, 256, "lines", "lines that may be under way from memory"),
        field("waiting", &TextureL2Spec::waiting, 1, 4096, "transactions", "that may wait for these lines"),
        field("hit_ns", &TextureL2Spec::hit_ns, 0.0, 10000.0, "ns", "from the request at the partition to its reply"),
        field("replacement", &TextureL2Spec::replacement, choice{"lru", "fifo", "random"}, "",
              "which line of a set leaves"));
  }
  [[nodiscard]] CacheGeometry geometry() const { return {bytes, ways, line_bytes}; }
};

}  // namespace teslasim
