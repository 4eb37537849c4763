// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/address_origin.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>

namespace teslasim {
namespace {

constexpr std::int32_t parameters_start = 0x10;  // in s[]

const Operand* global_operand(const Instruction& access) {
  const auto is_global = [](const Operand& operand) { return operand.kind == Operand::Kind::global; };
  if (is_global(access.store_target)) return &access.store_target;
  const auto found = std::find_if(access.source.begin(), access.source.end(), is_global);
  return found == access.source.end() ? nullptr : &*found;
}

/// Sources that may carry the address of a buffer on: terms of sums, not factors, counts of shifts or what is loaded.
std::span<const Operand> carriers(const Instruction& instruction) {
  const std::span<const Operand> all(instruction.source);
  switch (instruction.opcode) {
    case Opcode::mov:
    case Opcode::load_constant:
    case Opcode::load_shared:
    case Opcode::convert_int_int:
      return all.first(1);
    case Opcode::add:
    case Opcode::sub:
    case Opcode::subr:
    case Opcode::logic_and:
    case Opcode::logic_or:
    case Opcode::slct:
      return all.first(2);
    case Opcode::mad:
      return all.last(1);
    default:
      return {};
  }
}

class OriginSearch {
 public:
  explicit OriginSearch(const Launch& launch) : launch_(launch) {}

  const Buffer* run(const Instruction& access) {
    const Operand* const operand = global_operand(access);
    if (operand == nullptr || launch_.kernel == nullptr || launch_.memory == nullptr) return nullptr;
    wanted_.add_register(operand->index);
    for (std::size_t i = std::min<std::size_t>(access.index, launch_.kernel->code.size()); i-- > 0;)
      look_at(launch_.kernel->code[i]);
    return several_ ? nullptr : found_;
  }

 private:
  void look_at(const Instruction& instruction) {
    RegisterSet written = instruction.writes;
    written.words[2] = 0;  // flags
    if (!written.intersects(wanted_)) return;
    if (!instruction.predicated()) {
      for (std::size_t word = 0; word < wanted_.words.size(); ++word) wanted_.words[word] &= ~written.words[word];
    }
    for (const Operand& source : carriers(instruction)) {
      if (source.kind == Operand::Kind::gpr) wanted_.add_register(source.index);
      if (const std::optional<std::uint32_t> value = value_of(source)) note(*value);
    }
  }

  /// A word of the parameters or of a constant bank, where the code says which.
  [[nodiscard]] std::optional<std::uint32_t> value_of(const Operand& source) const {
    const bool is_parameter = source.kind == Operand::Kind::shared;
    if (source.address_register != 0 || (!is_parameter && source.kind != Operand::Kind::constant)) return std::nullopt;
    if (!is_parameter && source.bank >= launch_.constant_banks.size()) return std::nullopt;
    const std::vector<std::uint8_t>& bytes = is_parameter ? launch_.parameters : launch_.constant_banks[source.bank];
    const std::int64_t offset = source.offset - (is_parameter ? parameters_start : 0);
    std::uint32_t value = 0;
    if (offset < 0 || static_cast<std::size_t>(offset) + sizeof value > bytes.size()) return std::nullopt;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }

  void note(std::uint32_t address) {
    const Buffer* const buffer = launch_.memory->find(address, 0);
    if (buffer == nullptr || buffer->address != address) return;
    several_ = several_ || (found_ != nullptr && found_ != buffer);
    found_ = buffer;
  }

  const Launch& launch_;
  RegisterSet wanted_;
  const Buffer* found_ = nullptr;
  bool several_ = false;
};

}  // namespace

const Buffer* address_origin(const Launch& launch, const Instruction& access) {
  return OriginSearch(launch).run(access);
}

}  // namespace teslasim
