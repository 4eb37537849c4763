// SPDX-License-Identifier: Apache-2.0
// One dynamic warp instruction as a trace holds it, and its coding in bytes (docs/trace-format.md).
//
// A segment is a run of instructions of one warp. Its coding depends on nothing outside the segment: an instruction is
// written as its difference from what the segment so far lets one expect.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program.h"
#include "sim/base/types.h"

namespace teslasim {

/// Addresses of 32 lanes; those of lanes that do not take part mean nothing.
struct AddressRecord {
  LaneMask lanes = 0;  ///< 0: no access
  std::uint8_t bytes = 4;
  std::array<std::uint32_t, warp_size> address{};

  friend bool operator==(const AddressRecord&, const AddressRecord&) = default;
};

struct InstructionRecord {
  std::uint32_t index = 0;  ///< in Kernel::code
  LaneMask active = 0;
  LaneMask executed = 0;
  bool divergent = false;
  bool finished = false;
  AddressRecord shared, constant, memory;
  std::uint8_t memory_kind = 0;   ///< MemoryAccess::Kind
  std::uint8_t memory_space = 0;  ///< MemoryAccess::Space; local addresses count from the warp's own memory
};

/// The bytes of a trace are not what the format allows.
class TraceDamage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What both directions remember within a segment.
class SegmentHistory {
 public:
  explicit SegmentHistory(const Kernel& kernel) : kernel_(&kernel), bases_(kernel.code.size()) {}

  [[nodiscard]] const Kernel& kernel() const { return *kernel_; }
  void clear();
  [[nodiscard]] std::uint32_t expected() const { return expected_; }
  [[nodiscard]] LaneMask active() const { return active_; }
  /// Address of the first lane when the instruction was last met: shared, constant, device memory.
  [[nodiscard]] std::uint32_t& base(std::uint32_t index, unsigned space) { return bases_[index][space]; }
  void follow(const InstructionRecord& record);

 private:
  const Kernel* kernel_;
  std::uint32_t expected_ = 0;
  LaneMask active_ = all_lanes;
  std::vector<std::array<std::uint32_t, 3>> bases_;
};

class SegmentEncoder {
 public:
  explicit SegmentEncoder(const Kernel& kernel) : history_(kernel) {}

  void add(const InstructionRecord& record);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] std::uint32_t instructions() const { return instructions_; }
  /// Begins a new segment.
  void clear();

 private:
  void number(std::uint64_t value);
  void signed_number(std::int64_t value);
  void word(std::uint32_t value);
  void addresses(const AddressRecord& record, LaneMask expected, std::uint32_t& base);

  SegmentHistory history_;
  std::string bytes_;
  std::uint32_t instructions_ = 0;
};

class SegmentDecoder {
 public:
  explicit SegmentDecoder(const Kernel& kernel) : history_(kernel) {}

  /// The segment's bytes are kept.
  void open(std::string bytes, std::uint32_t instructions);
  [[nodiscard]] bool at_end() const { return left_ == 0; }
  /// Throws TraceDamage.
  void next(InstructionRecord& record);

 private:
  [[nodiscard]] std::uint8_t byte();
  [[nodiscard]] std::uint64_t number();
  [[nodiscard]] std::int64_t signed_number();
  [[nodiscard]] std::uint32_t word();
  void addresses(AddressRecord& record, LaneMask expected, std::uint32_t& base);

  SegmentHistory history_;
  std::string bytes_;
  std::size_t position_ = 0;
  std::uint32_t left_ = 0;
};

}  // namespace teslasim
