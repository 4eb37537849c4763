// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/module_layout.h"

#include <algorithm>
#include <limits>
#include <string>

#include "frontend/ptx/ptx_symbols.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxInitial;
using ptx::PtxMistake;
using ptx::PtxSpace;
using ptx::PtxVariable;

/// CUDA's limits for compute capability 1.x (CUDA C programming guide 4.2, appendix F).
constexpr std::uint64_t most_constant_bytes = 65536;
constexpr std::uint32_t most_parameter_bytes = 256;
constexpr std::uint64_t most_shared_bytes = 16384;
constexpr std::uint64_t most_local_bytes = 16384;
/// Device memory has 32-bit addresses.
constexpr std::uint64_t most_variable_bytes = std::uint64_t{1} << 30U;

template <typename Number>
Number aligned(Number address, std::uint32_t alignment) {
  return (address + alignment - 1) / alignment * alignment;
}

std::uint64_t element_bytes(const PtxVariable& variable) {
  return std::max(1U, bits_of(variable.type) / 8);
}

/// Bytes of a variable that must have a size of its own, and `most` or less of them.
std::optional<std::uint64_t> wanted_bytes(const PtxVariable& variable, std::uint64_t most, const char* memory,
                                          std::vector<PtxMistake>& mistakes) {
  const std::optional<std::uint64_t> bytes = bytes_of(variable);
  if (bytes && *bytes <= most) return bytes;
  mistakes.push_back({variable.place, "PTX-SIZE",
                      bytes ? "'" + variable.name + "' has " + std::to_string(*bytes) + " bytes, more than " +
                                  std::to_string(most) + " of " + memory
                            : "'" + variable.name + "' has no size",
                      ""});
  return std::nullopt;
}

std::vector<std::uint8_t> contents_of(const PtxVariable& variable, std::uint64_t bytes) {
  std::vector<std::uint8_t> contents;
  const std::uint64_t element = element_bytes(variable);
  for (const PtxInitial& initial : variable.initial) {
    const std::uint64_t bits = initial.symbol.empty() ? initial.constant.bits : 0;
    for (std::uint64_t byte = 0; byte < element && contents.size() < bytes; ++byte)
      contents.push_back(static_cast<std::uint8_t>(byte < 8 ? bits >> (8 * byte) : 0));
  }
  return contents;
}

class ModuleBuilder {
 public:
  ModuleBuilder(const ptx::PtxModule& module, Module& result, std::vector<PtxMistake>& mistakes)
      : module_(module), result_(result), mistakes_(mistakes) {}

  ModuleLayout run() {
    for (const PtxVariable& variable : module_.variables) place(variable);
    for (const PtxVariable& variable : module_.variables) place_addresses(variable);
    return std::move(layout_);
  }

 private:
  void place(const PtxVariable& variable) {
    if (!variable.opaque.empty() || variable.space == PtxSpace::tex) return place_texture(variable);
    if (variable.linkage == ptx::PtxLinkage::external && variable.space != PtxSpace::shared)
      return complain_external(variable);
    if (variable.space == PtxSpace::constant) place_constant(variable);
    if (variable.space == PtxSpace::global) place_global(variable);
  }

  void complain_external(const PtxVariable& variable) {
    const bool defined = std::any_of(module_.variables.begin(), module_.variables.end(), [&](const PtxVariable& other) {
      return other.name == variable.name && other.linkage != ptx::PtxLinkage::external;
    });
    if (defined) return;
    mistakes_.push_back({variable.place, "PTX-EXTERN", "'" + variable.name + "' is not defined in this file",
                         "there is no linker: define it here"});
  }

  void place_texture(const PtxVariable& variable) {
    if (!variable.opaque.empty() && variable.opaque != "texref") {
      mistakes_.push_back(
          {variable.place, "PTX-UNSUPPORTED", "." + variable.opaque + " needs compute capability 2.0", ""});
      return;
    }
    const auto slot = static_cast<std::uint32_t>(layout_.textures.size());
    layout_.textures[&variable] = slot;
    result_.textures.push_back({variable.name, slot});
  }

  void place_constant(const PtxVariable& variable) {
    const auto bytes = wanted_bytes(variable, most_constant_bytes, "constant memory", mistakes_);
    if (!bytes) return;
    constant_end_ = aligned(constant_end_, alignment_of(variable));
    ConstantSegment segment;
    segment.bank = 0;
    segment.offset = static_cast<std::uint32_t>(constant_end_);
    segment.bytes = contents_of(variable, *bytes);
    segment.bytes.resize(*bytes);
    segment.name = variable.name;
    layout_.constants[&variable] = segment.offset;
    constant_end_ += *bytes;
    if (constant_end_ > most_constant_bytes)
      mistakes_.push_back({variable.place, "PTX-SIZE", "the constants of the file take more than 65536 bytes", ""});
    else
      result_.constants.push_back(std::move(segment));
  }

  void place_global(const PtxVariable& variable) {
    const auto bytes = wanted_bytes(variable, most_variable_bytes, "device memory", mistakes_);
    if (!bytes) return;
    layout_.variables[&variable] = static_cast<std::uint32_t>(result_.variables.size());
    result_.variables.push_back({variable.name, *bytes, contents_of(variable, *bytes)});
  }

  /// Addresses in the initial values of variables, which the loader fills in: it knows where device memory begins.
  void place_addresses(const PtxVariable& variable) {
    for (std::size_t i = 0; i < variable.initial.size(); ++i) {
      const PtxInitial& initial = variable.initial[i];
      if (initial.symbol.empty()) continue;
      const std::optional<std::uint32_t> target = target_of(initial);
      if (!target || !is_pointer(variable, initial)) continue;
      const auto offset = static_cast<std::uint32_t>(i * element_bytes(variable));
      const auto addend = static_cast<std::uint32_t>(initial.constant.bits);
      if (const auto constant = layout_.constants.find(&variable); constant != layout_.constants.end())
        layout_.address_slots.push_back({0, constant->second + offset, *target, addend});
      if (const auto global = layout_.variables.find(&variable); global != layout_.variables.end())
        result_.variables[global->second].addresses.push_back({offset, *target, addend});
    }
  }

  bool is_pointer(const PtxVariable& variable, const PtxInitial& initial) {
    const bool placed = variable.space == PtxSpace::constant || variable.space == PtxSpace::global;
    if (placed && element_bytes(variable) >= sizeof(std::uint32_t)) return true;
    complain(initial,
             placed ? "this type is too small for the address of '" + initial.symbol + "'"
                    : "only variables in device memory and constants may start with an address",
             "give the table to a kernel, or fill it there");
    return false;
  }

  std::optional<std::uint32_t> target_of(const PtxInitial& initial) {
    const auto found = std::find_if(module_.variables.begin(), module_.variables.end(), [&](const PtxVariable& other) {
      return other.name == initial.symbol && other.linkage != ptx::PtxLinkage::external;
    });
    if (found == module_.variables.end()) {
      complain(initial, "an initial value is the address of '" + initial.symbol + "', which is no variable",
               "calls through tables of functions need compute capability 2.0: call them by name, in a switch");
      return std::nullopt;
    }
    if (const auto global = layout_.variables.find(&*found); global != layout_.variables.end()) return global->second;
    complain(initial, "an initial value is the address of '" + initial.symbol + "', which is not in device memory",
             "chips of compute capability 1.x take what was read from a table for an address in device memory: keep a "
             "number in the table, or choose among the variables in the kernel");
    return std::nullopt;
  }

  void complain(const PtxInitial& initial, std::string message, std::string help) {
    mistakes_.push_back({initial.place, "PTX-UNSUPPORTED", std::move(message), std::move(help)});
  }

  const ptx::PtxModule& module_;
  Module& result_;
  std::vector<PtxMistake>& mistakes_;
  ModuleLayout layout_{};
  std::uint64_t constant_end_ = 0;
};

ValueType parameter_type(const PtxVariable& parameter) {
  if (!parameter.extents.empty()) return ValueType::none;
  using enum ptx::PtxType;
  switch (parameter.type) {
    case u8:
      return ValueType::u8;
    case s8:
      return ValueType::s8;
    case u16:
      return ValueType::u16;
    case s16:
      return ValueType::s16;
    case u32:
      return ValueType::u32;
    case s32:
      return ValueType::s32;
    case f32:
      return ValueType::f32;
    case u64:
      return ValueType::u64;
    case s64:
      return ValueType::s64;
    case f64:
      return ValueType::f64;
    case b16:
    case f16:
      return ValueType::b16;
    case b32:
      return ValueType::b32;
    case b64:
      return ValueType::b64;
    default:
      return ValueType::none;
  }
}

void place_parameters(const ptx::PtxFunction& kernel, KernelLayout& layout, Kernel& result,
                      std::vector<PtxMistake>& mistakes) {
  std::uint32_t end = 0;
  // Compilers number them; values are given by place, as for a cubin.
  result.parameters_named = false;
  for (const PtxVariable& parameter : kernel.parameters) {
    const auto bytes = wanted_bytes(parameter, most_variable_bytes, "parameters", mistakes);
    if (!bytes) continue;
    end = aligned(end, alignment_of(parameter));
    if (*bytes > most_parameter_bytes - std::min(end, most_parameter_bytes)) {
      mistakes.push_back({parameter.place, "PTX-SIZE",
                          "the parameters of '" + kernel.name + "' take more than 256 bytes",
                          "pass a pointer to a struct in device memory, or keep it in a __constant__ variable"});
      break;
    }
    layout.parameters[&parameter] = launch_header_bytes + end;
    result.parameters.push_back({"p" + std::to_string(result.parameters.size()), parameter_type(parameter), end,
                                 static_cast<std::uint32_t>(*bytes)});
    end += static_cast<std::uint32_t>(*bytes);
  }
  layout.shared_bytes = launch_header_bytes + end;
}

}  // namespace

std::optional<std::uint64_t> bytes_of(const PtxVariable& variable) {
  std::uint64_t bytes = element_bytes(variable) * variable.vector;
  for (const std::optional<std::uint64_t>& extent : variable.extents) {
    const std::uint64_t elements = extent ? *extent : variable.initial.size();
    if (elements == 0) return std::nullopt;
    if (bytes > std::numeric_limits<std::uint64_t>::max() / elements) return std::nullopt;
    bytes *= elements;
  }
  return bytes;
}

std::uint32_t alignment_of(const PtxVariable& variable) {
  const auto own = static_cast<std::uint32_t>(element_bytes(variable) * variable.vector);
  return variable.alignment != 0 ? variable.alignment : own;
}

ModuleLayout lay_out(const ptx::PtxModule& module, Module& result, std::vector<PtxMistake>& mistakes) {
  return ModuleBuilder(module, result, mistakes).run();
}

KernelLayout lay_out(const ptx::PtxFunction& kernel, const std::vector<PtxVariablePointer>& used, Kernel& result,
                     std::vector<PtxMistake>& mistakes) {
  KernelLayout layout;
  place_parameters(kernel, layout, result, mistakes);
  std::uint64_t shared_end = layout.shared_bytes, local_end = 0;
  std::vector<PtxVariablePointer> dynamic;
  for (const PtxVariablePointer variable : used) {
    const bool shared = variable->space == PtxSpace::shared;
    if (shared && (variable->linkage == ptx::PtxLinkage::external || !bytes_of(*variable))) {
      dynamic.push_back(variable);
      continue;
    }
    const auto bytes = wanted_bytes(*variable, shared ? most_shared_bytes : most_variable_bytes,
                                    shared ? "shared memory" : "local memory", mistakes);
    if (!bytes) continue;
    std::uint64_t& end = shared ? shared_end : local_end;
    end = aligned(end, alignment_of(*variable));
    (shared ? layout.shared : layout.local)[variable] = static_cast<std::uint32_t>(end);
    end += *bytes;
  }
  // What the launch adds begins behind everything else.
  for (const PtxVariablePointer variable : dynamic)
    shared_end = aligned(shared_end, std::max(4U, alignment_of(*variable)));
  for (const PtxVariablePointer variable : dynamic) layout.shared[variable] = static_cast<std::uint32_t>(shared_end);
  if (shared_end > most_shared_bytes)
    mistakes.push_back(
        {kernel.place, "PTX-SIZE",
         "'" + kernel.name + "' takes " + std::to_string(shared_end) + " bytes of shared memory, more than 16384", ""});
  if (local_end > most_local_bytes)
    mistakes.push_back(
        {kernel.place, "PTX-SIZE",
         "the arrays of a thread of '" + kernel.name + "' take " + std::to_string(local_end) +
             " bytes of local memory, more than 16384",
         "keep them in device memory, with a part for each thread, or in shared memory, where threads share them"});
  layout.shared_bytes = static_cast<std::uint32_t>(std::min(shared_end, most_shared_bytes));
  layout.local_bytes = static_cast<std::uint32_t>(aligned(std::min(local_end, most_local_bytes), 4));
  return layout;
}

}  // namespace teslasim::compiler
