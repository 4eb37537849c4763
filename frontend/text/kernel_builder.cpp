// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/kernel_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/base/diagnostic.h"

namespace teslasim::text {
namespace {

/// CUDA's limit for compute capability 1.x.
constexpr std::uint32_t most_parameter_bytes = 256;
/// Compilers use $r124 as a register that always reads 0.
constexpr unsigned first_zero_register = 124;
/// Labels that do not exist are named up to this many.
constexpr std::size_t most_named = 50;
constexpr std::size_t most_compared = 1000;

std::uint32_t aligned(std::uint32_t address, std::uint32_t alignment) {
  return (address + alignment - 1) / alignment * alignment;
}

/// One past the highest general register of a set, looking only at registers below `limit`.
unsigned register_count(const RegisterSet& set, unsigned limit) {
  for (unsigned index = limit; index > 0; --index) {
    const unsigned i = index - 1;
    if (((set.words[i >> 6] >> (i & 63U)) & 1U) != 0) return index;
  }
  return 0;
}

TextError error(std::string code, Span span, std::string message, std::string help) {
  return TextError{std::move(code), std::move(message), std::move(help), span.column, span.length};
}

/// Does execution never reach the next instruction?
bool stops(const Instruction& i) {
  if (i.exit) return true;
  const bool leaves = i.opcode == Opcode::bra || i.opcode == Opcode::ret || i.opcode == Opcode::brk;
  return (leaves && !i.predicated()) || i.opcode == Opcode::trap;
}

bool uses_local(const Instruction& i) {
  return i.opcode == Opcode::load_local || i.opcode == Opcode::store_local;
}

}  // namespace

KernelBuilder::KernelBuilder(std::string_view name, LineReference where)
    : where_(where), parameter_end_(launch_header_bytes) {
  kernel_.name = std::string(name);
}

void KernelBuilder::add(ParsedInstruction parsed, LineReference where) {
  Instruction& instruction = parsed.instruction;
  const bool second_half = address_ % 8 != 0;
  if (instruction.bytes == 8 && second_half && !odd_addresses_) {
    unpaired_.push_back(kernel_.code.size() - 1);
    address_ += 4;
  }
  instruction.pc = address_;
  instruction.source_line = where.reported_line();
  address_ += instruction.bytes;
  if (!parsed.target.empty()) fixups_.push_back({kernel_.code.size(), parsed.target, parsed.target_where});
  lines_.push_back(where);
  spans_.push_back(parsed.where);
  kernel_.code.push_back(instruction);
}

bool KernelBuilder::define_label(std::string_view name, LineReference where) {
  return labels_.try_emplace(std::string(name), Label{address_, where}).second;
}

std::uint32_t KernelBuilder::label_line(std::string_view name) const {
  const auto found = labels_.find(name);
  return found == labels_.end() ? 0 : found->second.where.reported_line();
}

std::optional<std::uint32_t> KernelBuilder::add_parameter(std::string_view name, ValueType type) {
  const std::uint32_t bytes = bytes_of(type);
  const std::uint32_t address = aligned(parameter_end_, bytes);
  if (address + bytes > launch_header_bytes + most_parameter_bytes) return std::nullopt;
  parameter_end_ = address + bytes;
  kernel_.parameters.push_back({std::string(name), type, address - launch_header_bytes});
  return address;
}

bool KernelBuilder::place_parameter(std::string_view name, std::uint32_t address, std::uint32_t bytes) {
  if (address < parameter_end_) return false;
  const ValueType type = bytes == bytes_of(ValueType::b32)   ? ValueType::b32
                         : bytes == bytes_of(ValueType::b64) ? ValueType::b64
                                                             : ValueType::none;
  parameter_end_ = address + bytes;
  kernel_.parameters_named = false;
  kernel_.parameters.push_back({std::string(name), type, address - launch_header_bytes, bytes});
  return true;
}

std::uint32_t KernelBuilder::add_shared(std::uint32_t bytes, std::uint32_t alignment) {
  const std::uint32_t address = aligned(std::max(shared_end_, parameter_end_), alignment);
  shared_end_ = address + bytes;
  return address;
}

void KernelBuilder::declare(Resource resource, std::uint32_t value, LineReference where, Span span) {
  declared_[resource] = {value, where, span};
}

void KernelBuilder::check_pairing(std::vector<PlacedError>& errors) {
  if (address_ % 8 != 0 && !odd_addresses_) unpaired_.push_back(kernel_.code.size() - 1);
  for (const std::size_t index : unpaired_) {
    errors.push_back({error("ASM-ALIGN", spans_[index], "a short instruction stands alone: they come in pairs",
                            "drop '.half' or add another short instruction"),
                      lines_[index]});
  }
}

void KernelBuilder::resolve_labels(std::vector<PlacedError>& errors) {
  for (const auto& [name, label] : labels_) kernel_.labels.try_emplace(label.address, name);
  std::size_t named = 0;
  for (const Fixup& fixup : fixups_) {
    const auto found = labels_.find(fixup.label);
    if (found != labels_.end()) {
      kernel_.code[fixup.instruction].branch().target = found->second.address;
      continue;
    }
    kernel_.code[fixup.instruction].branch().target = 0;
    if (!cut_short_ && named++ < most_named) errors.push_back({unknown_label(fixup), lines_[fixup.instruction]});
  }
}

TextError KernelBuilder::unknown_label(const Fixup& fixup) const {
  std::vector<std::string> names;
  for (const auto& [name, label] : labels_) {
    if (names.size() == most_compared) break;
    names.push_back(name);
  }
  const std::string near = nearest_word(fixup.label, names);
  return error("ASM-LABEL", fixup.span, fmt::format("label '{}' is not defined in this kernel", fixup.label),
               near.empty() ? "define it with a line 'name:'" : fmt::format("did you mean '{}'?", near));
}

void KernelBuilder::check_targets(std::vector<PlacedError>& errors) const {
  for (std::size_t i = 0; i < kernel_.code.size(); ++i) {
    const Instruction& branch = kernel_.code[i];
    if (!has_target(branch.opcode) || branch.branch().target_index != no_index) continue;
    const std::uint32_t target = branch.branch().target;
    const std::string message = target == address_ ? "the branch target is behind the last instruction"
                                                   : fmt::format("no instruction starts at address {:#x}", target);
    const auto fixup = std::lower_bound(
        fixups_.begin(), fixups_.end(), i,
        [](const Fixup& candidate, std::size_t instruction) { return candidate.instruction < instruction; });
    const bool by_label = fixup != fixups_.end() && fixup->instruction == i;
    errors.push_back({error("ASM-LABEL", by_label ? fixup->span : spans_[i], message,
                            target == address_ ? "add an instruction there, such as nop or return" : "use a label"),
                      lines_[i]});
  }
}

void KernelBuilder::check_end(LineReference end, std::vector<PlacedError>& errors) const {
  if (kernel_.code.empty()) {
    errors.push_back({error("ASM-END", {}, fmt::format("kernel '{}' has no instructions", kernel_.name),
                            "the shortest kernel is 'return'"),
                      where_});
    return;
  }
  if (stops(kernel_.code.back())) return;
  errors.push_back({error("ASM-END", {}, fmt::format("kernel '{}' runs past its last instruction", kernel_.name),
                          "end it with 'return', or put .end on the last instruction"),
                    end, true});
}

void KernelBuilder::settle_registers(std::vector<PlacedError>& errors) {
  RegisterSet written;
  RegisterSet used;
  for (const Instruction& i : kernel_.code) {
    written.insert(i.writes);
    used.insert(i.reads);
  }
  used.insert(written);
  const unsigned needed = std::max(register_count(written, all_registers), register_count(used, first_zero_register));
  const auto declared = declared_.find(Resource::registers);
  kernel_.registers = declared == declared_.end() ? std::max(1U, needed) : declared->second.value;
  if (kernel_.registers >= needed) return;
  for (std::size_t i = 0; i < kernel_.code.size(); ++i) {
    RegisterSet all = kernel_.code[i].reads;
    all.insert(kernel_.code[i].writes);
    const unsigned count =
        std::max(register_count(kernel_.code[i].writes, all_registers), register_count(all, first_zero_register));
    if (count <= kernel_.registers) continue;
    errors.push_back(
        {error("ASM-REGISTER", spans_[i],
               fmt::format("$r{} does not exist: the kernel declares {} registers", count - 1, kernel_.registers),
               fmt::format("it reads 0 and writes to it vanish; write '.reg {}', or leave .reg out", needed)),
         lines_[i], true});
    return;
  }
}

void KernelBuilder::settle_shared(std::vector<PlacedError>& errors) {
  const std::uint32_t needed = std::max(shared_end_, parameter_end_);
  const auto declared = declared_.find(Resource::shared);
  kernel_.shared_bytes = declared == declared_.end() ? needed : declared->second.value;
  if (kernel_.shared_bytes >= needed) return;
  const bool bare = (kernel_.parameters.empty() || !kernel_.parameters_named) && shared_end_ == 0;
  if (bare) return;  // decuda and disasm write what the compiler said
  errors.push_back({error("ASM-RANGE", declared->second.span,
                          fmt::format("header, parameters and shared variables take {} bytes, .smem declares {}",
                                      needed, kernel_.shared_bytes),
                          fmt::format("write '.smem {}', or leave it out", needed)),
                    declared->second.where});
}

void KernelBuilder::settle_barriers(std::vector<PlacedError>& errors) {
  std::uint32_t needed = 0;
  for (const Instruction& i : kernel_.code) {
    if (i.opcode == Opcode::bar) needed = std::max(needed, std::uint32_t{i.barrier().number} + 1);
  }
  const auto declared = declared_.find(Resource::barriers);
  kernel_.barriers = declared == declared_.end() ? needed : declared->second.value;
  if (kernel_.barriers >= needed) return;
  errors.push_back({error("ASM-RANGE", declared->second.span,
                          fmt::format("the kernel uses {} barriers, .bar declares {}", needed, kernel_.barriers),
                          fmt::format("write '.bar {}', or leave it out", needed)),
                    declared->second.where, true});
}

void KernelBuilder::settle_local(std::vector<PlacedError>& errors) {
  const auto declared = declared_.find(Resource::local);
  if (declared != declared_.end()) {
    kernel_.local_bytes = declared->second.value;
    return;
  }
  const auto user = std::find_if(kernel_.code.begin(), kernel_.code.end(), uses_local);
  if (user == kernel_.code.end()) return;
  const auto index = static_cast<std::size_t>(user - kernel_.code.begin());
  errors.push_back({error("ASM-DIRECTIVE", spans_[index], "l[] is used, but the kernel declares no local memory",
                          "write '.lmem BYTES' at the start of the kernel"),
                    lines_[index]});
}

Kernel KernelBuilder::finish(LineReference end, std::vector<PlacedError>& errors) {
  if (!incomplete_) check_pairing(errors);
  resolve_labels(errors);
  if (!incomplete_) check_end(end, errors);
  settle_registers(errors);
  settle_shared(errors);
  settle_barriers(errors);
  settle_local(errors);
  finish_kernel(kernel_);
  if (!incomplete_) check_targets(errors);
  return std::move(kernel_);
}

}  // namespace teslasim::text
