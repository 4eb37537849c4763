// SPDX-License-Identifier: Apache-2.0
// Collects one kernel of an assembly file: instructions with their addresses, labels, parameters, shared variables and
// declared resources; `finish` resolves labels and fills in what was not declared.
//
// Addresses follow the hardware's rule that 8-byte instructions start at multiples of 8, so 4-byte ones come in pairs.
// Units: bytes; shared memory addresses count from the 16-byte launch header.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/text/instruction_parser.h"
#include "frontend/text/source_line.h"
#include "isa/program.h"

namespace teslasim::text {

/// An error that is found when the kernel is complete, with the line it belongs to.
struct PlacedError {
  TextError error;
  LineReference where;
  bool warning = false;  ///< compilers do it too
};

class KernelBuilder {
 public:
  KernelBuilder(std::string_view name, LineReference where);

  void add(ParsedInstruction parsed, LineReference where);
  /// False when the name is taken; `label_line` says where.
  [[nodiscard]] bool define_label(std::string_view name, LineReference where);
  [[nodiscard]] std::uint32_t label_line(std::string_view name) const;
  /// Address of the new parameter, or nothing when there is no room for it.
  [[nodiscard]] std::optional<std::uint32_t> add_parameter(std::string_view name, ValueType type);
  /// At an address of shared memory; false: that is within the one before.
  [[nodiscard]] bool place_parameter(std::string_view name, std::uint32_t address, std::uint32_t bytes);
  [[nodiscard]] bool has_shared_variables() const { return shared_end_ != 0; }
  /// Address of the new variable; `bytes` and `alignment` are checked by the caller.
  [[nodiscard]] std::uint32_t add_shared(std::uint32_t bytes, std::uint32_t alignment);

  enum class Resource : std::uint8_t { registers, shared, local, barriers };
  void declare(Resource resource, std::uint32_t value, LineReference where, Span span);

  [[nodiscard]] std::vector<ConstantSegment>& constants() { return kernel_.constants; }
  /// Next free byte of a constant bank of this kernel.
  [[nodiscard]] std::uint32_t& constant_end(std::uint8_t bank) { return constant_end_.at(bank); }
  [[nodiscard]] const std::string& name() const { return kernel_.name; }
  [[nodiscard]] LineReference where() const { return where_; }
  [[nodiscard]] std::uint32_t next_address() const { return address_; }

  /// `.unaligned`: short instructions need not come in pairs.
  void allow_odd_addresses() { odd_addresses_ = true; }

  /// A statement of the kernel was refused: what would only follow from its absence is not reported.
  void mark_incomplete() { incomplete_ = true; }
  /// Repetitions were left out after a mistake: labels may be missing because of that.
  void mark_cut_short() { cut_short_ = true; }

  /// The kernel and everything wrong with it.
  [[nodiscard]] Kernel finish(LineReference end, std::vector<PlacedError>& errors);

 private:
  struct Label {
    std::uint32_t address = 0;
    LineReference where;
  };
  struct Fixup {
    std::size_t instruction = 0;
    std::string label;
    Span span;
  };
  struct Declared {
    std::uint32_t value = 0;
    LineReference where;
    Span span;
  };

  void check_pairing(std::vector<PlacedError>& errors);
  void resolve_labels(std::vector<PlacedError>& errors);
  [[nodiscard]] TextError unknown_label(const Fixup& fixup) const;
  void check_targets(std::vector<PlacedError>& errors) const;
  void check_end(LineReference end, std::vector<PlacedError>& errors) const;
  void settle_registers(std::vector<PlacedError>& errors);
  void settle_shared(std::vector<PlacedError>& errors);
  void settle_barriers(std::vector<PlacedError>& errors);
  void settle_local(std::vector<PlacedError>& errors);

  Kernel kernel_;
  LineReference where_;
  std::vector<LineReference> lines_;  ///< of each instruction
  std::vector<Span> spans_;           ///< of each instruction
  std::vector<Fixup> fixups_;
  std::vector<std::size_t> unpaired_;
  std::map<std::string, Label, std::less<>> labels_;
  std::map<Resource, Declared> declared_;
  std::array<std::uint32_t, 16> constant_end_{};
  bool incomplete_ = false;
  bool cut_short_ = false;
  bool odd_addresses_ = false;
  std::uint32_t address_ = 0;
  std::uint32_t parameter_end_;
  std::uint32_t shared_end_ = 0;  ///< 0: no variable yet
};

}  // namespace teslasim::text
