// SPDX-License-Identifier: Apache-2.0
// The fingerprint of a run: XXH3 (64 bits, Collet 2019) over every counter of every launch in a fixed order and over
// the bytes of the buffers afterwards. The same input gives the same digest on every host, compiler and look-ahead;
// host time, paths and the names of files are not part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/block_sample.h"
#include "sim/base/launch_statistics.h"

namespace teslasim {

class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  void add(const LaunchStatistics& launch);
  void add(const BlockSample& sample);
  /// The name and all bytes of a device buffer.
  void add(std::string_view name, std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t value() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace teslasim
