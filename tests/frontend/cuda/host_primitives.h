// SPDX-License-Identifier: Apache-2.0
// The instructions that the device library stands on, computed on the host with the chip's bits.
#pragma once

namespace teslasim::device_library_test {

/// Whether a * b + c is the chip's mad, or a multiplication and an addition that round separately.
enum class MadKind { truncating, separate };

/// Sets the kind for as long as it lives.
class MadChoice {
 public:
  explicit MadChoice(MadKind kind);
  ~MadChoice();
  MadChoice(const MadChoice&) = delete;
  MadChoice& operator=(const MadChoice&) = delete;
};

/// Denormals become zero of the same sign.
[[nodiscard]] float flushed(float value);

}  // namespace teslasim::device_library_test
