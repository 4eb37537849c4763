// SPDX-License-Identifier: Apache-2.0
// Registers, literals and flags of the block that is being selected.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "frontend/compiler/ir.h"
#include "frontend/compiler/machine.h"
#include "isa/forms.h"

namespace teslasim::compiler {

/// One comparison of several whose outcome decides together: it is done where those before it left that open.
struct ChainLink {
  ValueIndex comparison = no_value;
  bool either = false;  ///< done where those before said no, and one yes is enough; else where they said yes
};

class MachineBuilder {
 public:
  MachineBuilder(const IrFunction& function, MachineFunction& machine);

  [[nodiscard]] MachineFunction& machine() { return machine_; }
  [[nodiscard]] BlockIndex block() const { return block_; }
  /// Code goes to this block now; flags of other blocks are forgotten.
  void begin_block(BlockIndex block);
  void set_line(std::uint32_t line) { line_ = line; }
  MachineInstruction& append(const MachineInstruction& instruction);

  /// The register of a value.
  [[nodiscard]] VirtualRegister register_of(ValueIndex value);
  [[nodiscard]] VirtualRegister new_register(RegisterClass kind = RegisterClass::general) {
    return machine_.add_register(kind);
  }
  /// The value is there from the start.
  void set_register(ValueIndex value, VirtualRegister where) { registers_[value] = where; }
  /// A constant in a new register.
  [[nodiscard]] VirtualRegister materialise(std::uint32_t constant);
  void materialise_into(VirtualRegister result, std::uint32_t constant);
  void copy(VirtualRegister result, VirtualRegister source);
  /// These flags say whether a value is not 0, from here on.
  void note_flags(ValueIndex value, VirtualRegister flags);
  /// Flags for the instructions that come next: the one that sets them to the last one that reads them.
  [[nodiscard]] VirtualRegister new_carry(std::size_t instructions = 2);
  /// The byte in a register becomes a word with its sign.
  void extend_byte(VirtualRegister value);
  /// An offset that an instruction cannot say moves to an address register.
  void move_offset_to_address(MachineInstruction& one, Operand& operand);
  /// A word of s[] in a register, extended.
  /// `far_loads`: there is an instruction for what is out of reach of operands (sm_11).
  [[nodiscard]] VirtualRegister load_launch_word(const IrNode& node, bool far_loads);

  /// Byte in bank 1 where a constant stands; nothing when the reach of operands is used up.
  [[nodiscard]] std::optional<std::uint32_t> literal(std::uint32_t constant);

  /// The flags of a truth value: those of the instruction that made it, when it stands in this block and a flag
  /// register is free as long, or of a test.
  [[nodiscard]] VirtualRegister flags_of(const IrArgument& condition);
  [[nodiscard]] bool is_in_order(const std::vector<ChainLink>& links) const;
  /// The flags of comparisons of this block in a row; nothing when one of them cannot set flags. Their words are lost.
  [[nodiscard]] std::optional<VirtualRegister> chained_flags(ValueIndex value, const std::vector<ChainLink>& links);
  /// Notes that the last instruction computes this value and could set flags.
  void note_definition(ValueIndex value);
  /// An address register for a value shifted left.
  /// `window` is added; without a value it is the whole address.
  [[nodiscard]] VirtualRegister address_of(const IrArgument& value, unsigned shift, std::uint32_t window);

 private:
  [[nodiscard]] bool flag_is_free(std::size_t from, std::size_t to) const;

  struct FlagSpan {
    std::size_t from, to;
    VirtualRegister flags;
  };
  struct AddressKey {
    ValueIndex value;
    unsigned shift;
    std::uint32_t window;
    friend bool operator==(const AddressKey&, const AddressKey&) = default;
  };
  struct AddressUse {
    AddressKey key;
    VirtualRegister address;
  };

  const IrFunction& function_;
  MachineFunction& machine_;
  BlockIndex block_ = 0;
  std::uint32_t line_ = 0;
  std::vector<VirtualRegister> registers_;
  std::unordered_map<std::uint32_t, std::uint32_t> literals_{};
  std::unordered_map<ValueIndex, std::size_t> definitions_{};  ///< position in the block
  std::unordered_map<ValueIndex, std::size_t> flags_{};        ///< index into spans_
  std::vector<FlagSpan> spans_{};
  std::vector<AddressUse> addresses_{};  ///< of this block, oldest first
};

/// Condition codes after a comparison: true, false.
inline constexpr std::uint8_t condition_true = 5, condition_false = 2;
/// A sum was larger than a word.
inline constexpr std::uint8_t condition_carry = 17;
/// Bytes that c[] and s[] operands reach, and words of s[] in the immediate form.
inline constexpr std::uint32_t constant_reach = 508, shared_reach = 124, immediate_shared_reach = 60;
/// Offsets of loads and stores.
inline constexpr std::uint32_t whole_reach = 0xffff;
/// Offsets count in the size of the access.
[[nodiscard]] constexpr std::uint32_t shared_reach_of(ValueType access, std::uint32_t words = shared_reach) {
  return access == ValueType::b32 ? words : access == ValueType::u8 ? words / 4 : words / 2;
}

}  // namespace teslasim::compiler
