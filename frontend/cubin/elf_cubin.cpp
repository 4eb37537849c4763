// SPDX-License-Identifier: Apache-2.0
#include "frontend/cubin/elf_cubin.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "frontend/cubin/cubin_limits.h"
#include "frontend/cubin/elf_image.h"
#include "frontend/cubin/kernel_code.h"
#include "frontend/cubin/launch_attributes.h"
#include "isa/encoding/encoding.h"

namespace teslasim {
namespace {

using namespace cubin;  // NOLINT(google-build-using-namespace): limits and banks

constexpr std::uint32_t level_mask = 0xff;
constexpr std::string_view damaged = "the file is damaged or cut short";

/// `text` without `prefix`, or nothing when it does not start so.
std::optional<std::string_view> after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return text.substr(prefix.size());
}

/// Bank and kernel of `.nv.constant14` or `.nv.constant1.K`.
struct BankName {
  std::uint32_t bank = 0;
  std::string_view kernel;
};
std::optional<BankName> bank_name(std::string_view section) {
  const auto rest = after(section, ".nv.constant");
  if (!rest) return std::nullopt;
  BankName name;
  const char* const end = rest->data() + rest->size();
  const auto [number_end, error] = std::from_chars(rest->data(), end, name.bank);
  if (error != std::errc{} || (number_end != end && *number_end != '.')) return std::nullopt;
  if (number_end != end) name.kernel = std::string_view(number_end + 1, static_cast<std::size_t>(end - number_end - 1));
  return name;
}

ValueType type_of_size(std::uint32_t bytes) {
  switch (bytes) {
    case 1:
      return ValueType::u8;
    case 2:
      return ValueType::b16;
    case 4:
      return ValueType::b32;
    case 8:
      return ValueType::b64;
    default:
      return ValueType::none;
  }
}

class ElfCubinReader {
 public:
  ElfCubinReader(const ElfImage& image, const ReadOptions& options) : image_(image), options_(options) {
    module_.path = image.path();
    module_.container = fmt::format("{}-bit ELF cubin", image.identity().bits);
  }

  Module read() {
    read_level();
    read_variables();
    for (std::size_t i = 0; i < image_.sections().size(); ++i) read_addresses_of_variables(i);
    for (std::size_t i = 0; i < image_.sections().size(); ++i) read_kernel(i);
    for (std::size_t i = 0; i < image_.sections().size(); ++i) read_constants(i);
    for (const ElfSection& section : image_.sections()) read_attributes(section);
    warn_of_code_relocations();
    if (module_.kernels.empty() && problems_.empty())
      problems_.push_back(image_.problem("CUBIN-EMPTY", "the file has no kernel", 0,
                                         "the code of a kernel K is in a section '.text.K'"));
    if (!problems_.empty()) throw InputError(ExitCode::input, std::move(problems_));
    return std::move(module_);
  }

 private:
  void add(std::string code, std::string message, const ElfSection& section, std::string help) {
    problems_.push_back(image_.problem(std::move(code), std::move(message), section, std::move(help)));
  }
  void warn(std::string code, std::string message, const ElfSection& section, std::string help) {
    Diagnostic warning = image_.problem(std::move(code), std::move(message), section, std::move(help));
    warning.severity = Diagnostic::Severity::warning;
    module_.warnings.push_back(std::move(warning));
  }

  void read_level() {
    const std::uint32_t level = image_.identity().flags & level_mask;
    module_.sm = static_cast<std::uint8_t>(std::clamp<std::uint32_t>(level, lowest_sm, highest_sm));
    if (level >= lowest_sm && level <= highest_sm) return;
    problems_.push_back(image_.problem("ISA-LEVEL", fmt::format("the code is for sm_{}", level), 0,
                                       "this simulator executes code for sm_10, sm_11, sm_12 and sm_13"));
    throw InputError(ExitCode::input, std::move(problems_));
  }

  [[nodiscard]] const ElfSection* section_named(const std::string& name) const {
    const auto& sections = image_.sections();
    const auto found =
        std::find_if(sections.begin(), sections.end(), [&](const ElfSection& section) { return section.name == name; });
    return found == sections.end() ? nullptr : &*found;
  }
  Kernel* kernel_named(std::string_view name) {
    const auto found = std::find_if(module_.kernels.begin(), module_.kernels.end(),
                                    [&](const Kernel& kernel) { return kernel.name == name; });
    return found == module_.kernels.end() ? nullptr : &*found;
  }

  void read_kernel(std::size_t index) {
    const ElfSection& section = image_.sections()[index];
    const auto name = after(section.name, ".text.");
    if (!name || section.type != SHT_PROGBITS) return;
    constexpr unsigned register_shift = 24;
    constexpr unsigned barrier_shift = 20;
    constexpr std::uint64_t barrier_mask = 0x7f;
    Kernel kernel;
    kernel.name = *name;
    kernel.parameters_named = false;
    if (kernel.name.empty()) add("CUBIN-FIELD", "a code section has no kernel name", section, std::string(damaged));
    if (kernel_named(kernel.name) != nullptr)
      add("CUBIN-FIELD", fmt::format("there is a second kernel '{}'", kernel.name), section, std::string(damaged));
    kernel.registers = limited(section.info >> register_shift, most_registers, "registers", section);
    kernel.barriers = limited(section.flags >> barrier_shift & barrier_mask, most_barriers, "barriers", section);
    if (const ElfSection* const shared = section_named(".nv.shared." + kernel.name))
      kernel.shared_bytes = limited(shared->size, most_shared, "bytes of shared memory", *shared);
    if (const ElfSection* const local = section_named(".nv.local." + kernel.name))
      kernel.local_bytes = limited(local->size, most_local, "bytes of local memory", *local);
    if (section.bytes.empty() || section.bytes.size() % word_bytes != 0 || section.bytes.size() > most_code_bytes) {
      add("CUBIN-CODE", fmt::format("the code of kernel '{}' has {} bytes", kernel.name, section.size), section,
          "code is a number of 4-byte words; the file is damaged or cut short");
      return;
    }
    decode_kernel(std::move(kernel), section);
  }

  std::uint32_t limited(std::uint64_t value, std::uint32_t most, std::string_view what, const ElfSection& section) {
    if (value <= most) return static_cast<std::uint32_t>(value);
    add("CUBIN-FIELD", fmt::format("{} {}, at most {} exist", value, what, most), section, std::string(damaged));
    return 0;
  }

  void decode_kernel(Kernel kernel, const ElfSection& section) {
    std::vector<std::uint32_t> words(section.bytes.size() / word_bytes);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = word_at(section.bytes, i * word_bytes);
    DecodedCode decoded = decode_code(words, module_.sm, options_.machine_sm);
    const CodePlace place{kernel.name, {image_.path(), 0, 0, 1}, ""};
    std::vector<Diagnostic> found = problems_of(decoded, place, module_.sm, options_);
    for (Diagnostic& problem : found) {
      problem.details.push_back(image_.problem("", "", section, "").details.front());
      problems_.push_back(std::move(problem));
    }
    if (!found.empty()) return;
    adopt_code(kernel, std::move(decoded));
    module_.kernels.push_back(std::move(kernel));
  }

  static std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t offset) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < word_bytes && offset + i < bytes.size(); ++i)
      word |= static_cast<std::uint32_t>(bytes[offset + i]) << (8 * i);
    return word;
  }

  /// Each symbol of `.nv.global*` is a variable; bytes that no symbol covers belong to the section as a whole.
  void read_variables() {
    const auto& sections = image_.sections();
    for (std::size_t i = 0; i < sections.size(); ++i) {
      const std::string_view name = sections[i].name;
      if (name != ".nv.global" && name != ".nv.global.init") continue;
      const std::size_t first = module_.variables.size();
      for (const ElfSymbol& symbol : image_.symbols()) {
        if (symbol.section == i && symbol.kind == STT_OBJECT && symbol.size != 0) add_variable(symbol, i);
      }
      if (module_.variables.size() == first && sections[i].size != 0)
        add_variable({std::string(name), 0, sections[i].size, static_cast<std::uint32_t>(i), STT_OBJECT}, i);
    }
  }

  bool fits(const ElfSymbol& symbol, const ElfSection& section) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 31U;
    if (symbol.size <= most_bytes && symbol.value <= section.size && symbol.size <= section.size - symbol.value)
      return true;
    add("CUBIN-FIELD", fmt::format("variable '{}' reaches beyond its section", symbol.name), section,
        std::string(damaged));
    return false;
  }

  void add_variable(const ElfSymbol& symbol, std::size_t index) {
    const ElfSection& section = image_.sections()[index];
    if (!fits(symbol, section)) return;
    DeviceVariable variable{symbol.name, symbol.size, {}};
    if (!section.bytes.empty()) {
      const auto bytes = section.bytes.subspan(symbol.value, symbol.size);
      variable.contents.assign(bytes.begin(), bytes.end());
    }
    places_.push_back({index, symbol.value});
    module_.variables.push_back(std::move(variable));
  }

  /// The relocations of variables: addresses of others.
  void read_addresses_of_variables(std::size_t index) {
    if (image_.sections()[index].name != ".nv.global.init") return;
    for (const AddressSlot& slot : address_slots(index, 0)) {
      const std::optional<std::size_t> holder = variable_in(index, slot.offset);
      if (!holder) continue;
      const auto offset = static_cast<std::uint32_t>(slot.offset - places_[*holder].offset);
      module_.variables[*holder].addresses.push_back({offset, slot.variable, slot.addend});
    }
  }

  /// A segment for each variable of a bank of all kernels, and nameless ones for what lies between.
  void add_constants(std::size_t index, std::uint8_t bank) {
    const ElfSection& section = image_.sections()[index];
    std::vector<const ElfSymbol*> variables;
    for (const ElfSymbol& symbol : image_.symbols()) {
      if (symbol.section != index || symbol.kind != STT_OBJECT || symbol.size == 0) continue;
      if (fits(symbol, section)) variables.push_back(&symbol);
    }
    std::stable_sort(variables.begin(), variables.end(),
                     [](const ElfSymbol* left, const ElfSymbol* right) { return left->value < right->value; });
    const auto add_segment = [&](std::uint64_t begin, std::uint64_t bytes, const std::string& name) {
      const auto part = section.bytes.subspan(begin, bytes);
      module_.constants.push_back({bank, static_cast<std::uint32_t>(begin), {part.begin(), part.end()}, name});
    };
    std::uint64_t end = 0;
    for (const ElfSymbol* variable : variables) {
      if (variable->value > end) add_segment(end, variable->value - end, "");
      add_segment(variable->value, variable->size, variable->name);
      end = std::max<std::uint64_t>(end, variable->value + variable->size);
    }
    if (end < section.bytes.size() || variables.empty()) add_segment(end, section.bytes.size() - end, "");
  }

  void read_constants(std::size_t index) {
    const ElfSection& section = image_.sections()[index];
    const auto name = bank_name(section.name);
    if (!name || section.type != SHT_PROGBITS) return;
    if (name->bank > last_bank) {
      warn("CUBIN-SKIPPED", fmt::format("constant bank c{} is not used: the chip has c0 to c15", name->bank), section,
           "");
      return;
    }
    if (section.bytes.size() > most_constant) {
      add("CUBIN-FIELD", "this section is larger than the 65536 bytes of a constant bank", section,
          std::string(damaged));
      return;
    }
    const auto bank = static_cast<std::uint8_t>(name->bank);
    const std::vector<AddressSlot> slots = address_slots(index, bank);
    if (name->kernel.empty()) {
      add_constants(index, bank);
      for (Kernel& kernel : module_.kernels)
        kernel.address_slots.insert(kernel.address_slots.end(), slots.begin(), slots.end());
    } else if (Kernel* const kernel = kernel_named(name->kernel)) {
      kernel->constants.push_back({bank, 0, {section.bytes.begin(), section.bytes.end()}});
      kernel->address_slots.insert(kernel->address_slots.end(), slots.begin(), slots.end());
    } else if (problems_.empty()) {
      add("CUBIN-FIELD",
          fmt::format("these constants belong to a kernel '{}' that the file does not have", name->kernel), section,
          std::string(damaged));
    }
  }

  /// The relocations of a constant bank or of variables: addresses of device variables, as 32 bits or the low half
  /// of 64.
  std::vector<AddressSlot> address_slots(std::size_t index, std::uint8_t bank) {
    constexpr std::uint32_t absolute_32 = 1, absolute_64 = 2, global_32 = 3, global_64 = 4;
    const ElfSection& section = image_.sections()[index];
    std::vector<AddressSlot> slots;
    for (const ElfRelocation& relocation : image_.relocations_of(index)) {
      const bool known = relocation.type == absolute_32 || relocation.type == absolute_64 ||
                         relocation.type == global_32 || relocation.type == global_64;
      if (!known || relocation.symbol >= image_.symbols().size() || relocation.offset > section.size ||
          section.size - relocation.offset < word_bytes) {
        add("CUBIN-RELOCATION",
            fmt::format("relocation type {} of symbol {} at byte {:#x} of this section is unknown or out of range",
                        relocation.type, relocation.symbol, relocation.offset),
            section, "addresses in constant banks and variables are relocations of type 1 to 4");
        continue;
      }
      const ElfSymbol& symbol = image_.symbols()[relocation.symbol];
      const std::uint64_t addend =
          relocation.addend_in_place ? word_at(section.bytes, relocation.offset) : relocation.addend;
      const auto variable = variable_at(symbol, addend);
      if (!variable) {
        warn("CUBIN-RELOCATION",
             fmt::format("the address of '{}' at byte {:#x} stays 0: the file does not define it", symbol.name,
                         relocation.offset),
             section, "give the bytes in the launch file: [[constant]] bank, offset, values");
        continue;
      }
      const std::uint64_t from_start = symbol.value + addend - places_[*variable].offset;
      slots.push_back(
          {bank, static_cast<std::uint32_t>(relocation.offset), *variable, static_cast<std::uint32_t>(from_start)});
    }
    return slots;
  }

  /// The variable that holds the address symbol + addend; the nearest one before it when it lies between two.
  [[nodiscard]] std::optional<std::size_t> variable_at(const ElfSymbol& symbol, std::uint64_t addend) const {
    return variable_in(symbol.section, symbol.kind == STT_SECTION ? symbol.value + addend : symbol.value);
  }
  [[nodiscard]] std::optional<std::size_t> variable_in(std::size_t section, std::uint64_t offset) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].section != section || places_[i].offset > offset) continue;
      if (!best || places_[i].offset > places_[*best].offset) best = i;
    }
    return best;
  }

  void read_attributes(const ElfSection& section) {
    const auto rest = after(section.name, ".nv.info");
    if (!rest || section.bytes.empty()) return;
    const LaunchAttributes attributes = read_launch_attributes(section.bytes);
    if (!attributes.problem.empty()) {
      problems_.push_back(image_.problem("CUBIN-FIELD", attributes.problem, section.offset + attributes.problem_offset,
                                         std::string(damaged)));
      return;
    }
    for (const TextureAttribute& texture : attributes.textures) {
      if (texture.symbol >= image_.symbols().size() || texture.slot >= most_textures) continue;
      TextureReference reference{image_.symbols()[texture.symbol].name, texture.slot};
      const auto same = [&](const TextureReference& other) { return other.slot == reference.slot; };
      // Every kernel that reads a texture names it.
      if (std::none_of(module_.textures.begin(), module_.textures.end(), same))
        module_.textures.push_back(std::move(reference));
    }
    if (rest->empty()) return;
    if (Kernel* const kernel = kernel_named(rest->substr(1))) set_parameters(*kernel, attributes, section);
  }

  void set_parameters(Kernel& kernel, const LaunchAttributes& attributes, const ElfSection& section) {
    std::uint32_t end = attributes.parameter_bytes.value_or(0);
    for (const ParameterAttribute& attribute : attributes.parameters) {
      if (attribute.offset + attribute.bytes > most_shared || attribute.bytes == 0) {
        add("CUBIN-FIELD",
            fmt::format("parameter {} of kernel '{}' has {} bytes at offset {:#x}", attribute.ordinal, kernel.name,
                        attribute.bytes, attribute.offset),
            section, std::string(damaged));
        return;
      }
      end = std::max(end, attribute.offset + attribute.bytes);
      kernel.parameters.push_back({fmt::format("p{}", attribute.ordinal),
                                   attribute.exact ? type_of_size(attribute.bytes) : ValueType::none, attribute.offset,
                                   attribute.bytes});
    }
    kernel.shared_bytes = std::max(kernel.shared_bytes, launch_header_bytes + end);
    kernel.most_threads = attributes.most_threads;
  }

  void warn_of_code_relocations() {
    for (std::size_t i = 0; i < image_.sections().size(); ++i) {
      const ElfSection& section = image_.sections()[i];
      if (!section.name.starts_with(".text.")) continue;
      const std::size_t count = image_.relocations_of(i).size();
      if (count == 0) continue;
      warn(
          "CUBIN-RELOCATION", fmt::format("{} relocations of this code are not applied", count), section,
          "the file is an object before linking; give the linked cubin when the kernel calls functions of other files");
    }
  }

  struct Place {
    std::size_t section = 0;
    std::uint64_t offset = 0;
  };

  const ElfImage& image_;
  const ReadOptions& options_;
  Module module_;
  std::vector<Place> places_;  ///< of Module::variables
  std::vector<Diagnostic> problems_;
};

}  // namespace

bool looks_like_elf_cubin(std::string_view bytes) {
  return identify_elf(bytes).machine == elf_machine_cuda;
}

Module read_elf_cubin(const std::string& path, std::string_view bytes, const ReadOptions& options, std::uint64_t base) {
  const ElfImage image(path, bytes, base);
  return ElfCubinReader(image, options).read();
}

}  // namespace teslasim
