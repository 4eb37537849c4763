// SPDX-License-Identifier: Apache-2.0
// One dynamic warp instruction as a trace holds it, and its coding in bytes (docs/trace-format.md).
//
// A segment is a run of instructions of one warp. Its coding depends on nothing outside the segment: an instruction is
// written as its difference from a prediction that the segment so far allows.
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

/// Addresses of 32 lanes; those of inactive lanes are meaningless.
struct AddressRecord {
  LaneMask lanes = 0;  ///< 0: no access
  std::uint8_t bytes = 4;
  std::array<std::uint32_t, warp_size> address{};

  friend bool operator==(const AddressRecord&, const AddressRecord&) = default;
};

/// The texels of a texture read after the first one of each lane, whose address is that of the memory access.
struct TexelRecord {
  static constexpr unsigned most_texels = 8;
  std::uint8_t texels = 1;  ///< per lane, with the first
  LaneMask inside = 0;      ///< lanes whose texels exist
  /// further[i]: texel i + 1.
  std::array<std::array<std::uint32_t, warp_size>, most_texels - 1> further{};
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
  TexelRecord texture;            ///< for the texture space
};

inline constexpr std::uint8_t texture_space = 2;  ///< of InstructionRecord::memory_space

/// A view of the addresses of an access, so that encoding copies nothing.
struct AddressView {
  LaneMask lanes = 0;
  std::uint8_t bytes = 4;
  bool uniform = false;  ///< all lanes have the address of lane 0
  const std::array<std::uint32_t, warp_size>* address = nullptr;
};

/// One dynamic warp instruction as SegmentEncoder takes it; the members mean what those of InstructionRecord mean.
struct InstructionView {
  std::uint32_t index = 0;
  LaneMask active = 0;
  LaneMask executed = 0;
  bool divergent = false;
  bool finished = false;
  AddressView shared, constant, memory;
  std::uint8_t memory_kind = 0;
  std::uint8_t memory_space = 0;
  /// For the texture space: texels per lane with the first, and addresses of the others.
  std::uint8_t texels = 1;
  LaneMask inside = 0;
  const std::array<std::uint32_t, warp_size>* further = nullptr;
};

[[nodiscard]] InstructionView view_of(const InstructionRecord& record);

/// The bytes of a trace are not what the format allows.
class TraceDamage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What both directions remember within a segment.
class SegmentHistory {
 public:
  /// Lanes and their distances from the lowest one, of an access without a rule.
  struct Shape {
    LaneMask lanes = 0;
    alignas(64) std::array<std::uint32_t, warp_size> distance{};
  };
  /// Of one instruction in one space.
  struct Place {
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::uint32_t base = 0;      ///< address that the next one is told from
    std::uint32_t shape = none;  ///< of the last access without a rule
  };

  explicit SegmentHistory(const Kernel& kernel) : kernel_(&kernel), places_(kernel.code.size()) {}

  [[nodiscard]] const Kernel& kernel() const { return *kernel_; }
  void clear();
  [[nodiscard]] std::uint32_t expected() const { return expected_; }
  [[nodiscard]] LaneMask active() const { return active_; }
  /// Of an instruction in space 0 shared, 1 constant, 2 device memory.
  [[nodiscard]] Place& place(std::uint32_t index, unsigned space) { return places_[index][space]; }
  [[nodiscard]] const Shape& shape(const Place& place) const { return shapes_[place.shape]; }
  void remember(Place& place, LaneMask lanes, const std::array<std::uint32_t, warp_size>& address);
  /// Expects what comes behind instruction `index` when `executed` lanes perform it.
  void follow(std::uint32_t index, LaneMask active, LaneMask executed);

 private:
  const Kernel* kernel_;
  std::uint32_t expected_ = 0;
  LaneMask active_ = all_lanes;
  std::vector<std::array<Place, 3>> places_;
  std::vector<Shape> shapes_;
};

enum class Remember : std::uint8_t { nothing, shapes };

class SegmentEncoder {
 public:
  explicit SegmentEncoder(const Kernel& kernel) : history_(kernel) {}

  void add(const InstructionView& instruction);
  void add(const InstructionRecord& record) { add(view_of(record)); }
  /// Valid until the next call.
  [[nodiscard]] std::string_view bytes() const { return {buffer_.data(), size_}; }
  [[nodiscard]] std::uint32_t instructions() const { return instructions_; }
  /// Begins a new segment.
  void clear();

  /// Addresses as distances from the lowest one, without `shift` bits that are 0 everywhere, in `bits` bits each.
  struct Packing {
    std::uint32_t lowest = 0;
    unsigned shift = 0, bits = 0;
  };

 private:
  void packed(const AddressView& access, const Packing& packing, SegmentHistory::Place& place);
  void put(std::uint64_t byte) { buffer_[size_++] = static_cast<char>(byte); }
  void number(std::uint64_t value);
  void signed_number(std::int64_t value);
  void word(std::uint32_t value);
  void addresses(const AddressView& access, LaneMask expected, SegmentHistory::Place& place, Remember remember);
  [[nodiscard]] bool repeats(const AddressView& access, const SegmentHistory::Place& place) const;
  void texels(const InstructionView& instruction);

  SegmentHistory history_;
  std::vector<char> buffer_;
  std::size_t size_ = 0;
  std::uint32_t instructions_ = 0;
};

class SegmentDecoder {
 public:
  explicit SegmentDecoder(const Kernel& kernel) : history_(kernel) {}

  /// The segment's bytes are copied.
  void open(std::string_view bytes, std::uint32_t instructions);
  [[nodiscard]] bool at_end() const { return left_ == 0; }
  /// Throws TraceDamage.
  void next(InstructionRecord& record);

 private:
  [[nodiscard]] std::uint8_t byte();
  [[nodiscard]] std::uint64_t number();
  [[nodiscard]] std::int64_t signed_number();
  [[nodiscard]] std::uint32_t word();
  void addresses(AddressRecord& record, LaneMask expected, SegmentHistory::Place& place, Remember remember);
  void packed(AddressRecord& record, std::uint32_t lowest);
  void texels(InstructionRecord& record);

  SegmentHistory history_;
  std::string bytes_;
  std::size_t position_ = 0;
  std::uint32_t left_ = 0;
};

}  // namespace teslasim
