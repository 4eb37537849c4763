// SPDX-License-Identifier: Apache-2.0
// Parameters of the caches for instructions and constants: L1 in the SM, L2 in the TPC, L3 near memory.
#pragma once

#include <string>

#include "memory/cache/tag_array.h"
#include "sim/base/config.h"

namespace teslasim {

inline constexpr choice replacement_names{"lru", "fifo", "random"};

struct InstructionCacheSpec {
  unsigned bytes = 4096;
  unsigned ways = 4;
  unsigned line_bytes = 256;
  unsigned fetch_block_bytes = 64;
  unsigned misses = 4;
  std::string replacement = "lru";
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("bytes", &InstructionCacheSpec::bytes, 0, 1048576, "bytes", "size; 0 = ideal, every fetch hits"),
        field("ways", &InstructionCacheSpec::ways, 1, 64, "ways", "associativity"),
        field("line_bytes", &InstructionCacheSpec::line_bytes, power_of_two{32, 1024}, "bytes", "line"),
        field("fetch_block_bytes", &InstructionCacheSpec::fetch_block_bytes, power_of_two{8, 1024}, "bytes",
              "what a warp takes from the cache at a time: within it, no further look-up"),
        field("misses", &InstructionCacheSpec::misses, 1, 32, "lines", "lines that may be under way to one SM"),
        field("replacement", &InstructionCacheSpec::replacement, replacement_names, "", "which line of a set leaves"));
  }
  [[nodiscard]] CacheGeometry geometry() const { return {bytes, ways, line_bytes}; }
};

struct ConstantCacheSpec {
  unsigned bytes = 2048;
  unsigned ways = 4;
  unsigned line_bytes = 64;
  unsigned misses = 4;
  std::string replacement = "lru";
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("bytes", &ConstantCacheSpec::bytes, 0, 1048576, "bytes", "size; 0 = ideal, every read hits"),
        field("ways", &ConstantCacheSpec::ways, 1, 64, "ways", "associativity"),
        field("line_bytes", &ConstantCacheSpec::line_bytes, power_of_two{16, 1024}, "bytes", "line"),
        field("misses", &ConstantCacheSpec::misses, 1, 32, "lines", "lines that may be under way to one SM"),
        field("replacement", &ConstantCacheSpec::replacement, replacement_names, "", "which line of a set leaves"));
  }
  [[nodiscard]] CacheGeometry geometry() const { return {bytes, ways, line_bytes}; }
};

/// A level that instructions and constants share.
struct ConstantLevelSpec {
  unsigned bytes = 8192;
  unsigned ways = 4;
  unsigned line_bytes = 256;
  unsigned misses = 8;
  unsigned bytes_per_cycle = 32;
  double request_ns = 10.0;
  double response_ns = 40.0;
  std::string replacement = "lru";
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("bytes", &ConstantLevelSpec::bytes, 1024, 16777216, "bytes", "size"),
        field("ways", &ConstantLevelSpec::ways, 1, 64, "ways", "associativity"),
        field("line_bytes", &ConstantLevelSpec::line_bytes, power_of_two{32, 1024}, "bytes", "line"),
        field("misses", &ConstantLevelSpec::misses, 1, 256, "lines", "lines that may be under way from the next level"),
        field("bytes_per_cycle", &ConstantLevelSpec::bytes_per_cycle, power_of_two{4, 1024}, "bytes",
              "what leaves the level per core cycle"),
        field("request_ns", &ConstantLevelSpec::request_ns, 0.1, 10000.0, "ns", "request from the level above"),
        field("response_ns", &ConstantLevelSpec::response_ns, 0.1, 10000.0, "ns",
              "line to the level above, without its transfer"),
        field("replacement", &ConstantLevelSpec::replacement, replacement_names, "", "which line of a set leaves"));
  }
  [[nodiscard]] CacheGeometry geometry() const { return {bytes, ways, line_bytes}; }
};

}  // namespace teslasim
