// SPDX-License-Identifier: Apache-2.0
// Lays out the sections in the order of the table, one after another, and puts the table last.
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "frontend/cubin/cubin_limits.h"
#include "frontend/cubin/elf_cubin.h"
#include "frontend/cubin/elf_image.h"
#include "frontend/cubin/kernel_code.h"

namespace teslasim {
namespace {

using namespace cubin;  // NOLINT(google-build-using-namespace): limits and banks

constexpr std::uint32_t nv_info_type = SHT_LOPROC;
constexpr std::uint32_t names_index = 1;  ///< of the section that holds all names
constexpr std::uint32_t symbols_index = 2;
constexpr unsigned char texture_kind = STT_LOOS;  ///< of symbols

struct Class32 {
  using Header = Elf32_Ehdr;
  using Section = Elf32_Shdr;
  using Symbol = Elf32_Sym;
  using Relocation = Elf32_Rel;
  static constexpr unsigned char ident = ELFCLASS32;
  static constexpr unsigned symbol_shift = 8;
};
struct Class64 {
  using Header = Elf64_Ehdr;
  using Section = Elf64_Shdr;
  using Symbol = Elf64_Sym;
  using Relocation = Elf64_Rel;
  static constexpr unsigned char ident = ELFCLASS64;
  static constexpr unsigned symbol_shift = 32;
};

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);  // NOLINT: plain structs as they are stored
}

struct Section {
  std::string name;
  std::uint32_t type = SHT_PROGBITS;
  std::uint64_t flags = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::string bytes{};
  std::uint64_t memory_bytes = 0;  ///< of sections without bytes in the file
};

template <typename Class>
class ElfCubinWriter {
 public:
  explicit ElfCubinWriter(const Module& module) : module_(module) {}

  std::string write() {
    sections_ = {{"", SHT_NULL}, {".strtab", SHT_STRTAB}, {".symtab", SHT_SYMTAB}};
    symbols_.resize(1);
    for (const ConstantSegment& segment : module_.constants) {
      const std::size_t section = add_bank(segment, "");
      if (!segment.name.empty()) add_symbol(segment.name, segment.offset, segment.bytes.size(), section, STT_OBJECT);
    }
    for (const TextureReference& texture : module_.textures)
      texture_symbols_.push_back(add_symbol(texture.name, 0, 0, SHN_UNDEF, texture_kind));
    for (const Kernel& kernel : module_.kernels) add_kernel(kernel);
    add_variables();
    if (!problems_.empty()) throw InputError(ExitCode::input, std::move(problems_));
    return assembled();
  }

 private:
  std::uint32_t name_offset(const std::string& name) {
    if (name.empty()) return 0;
    const auto offset = static_cast<std::uint32_t>(names_.size());
    names_ += name + '\0';
    return offset;
  }

  std::uint32_t add_symbol(const std::string& name, std::uint64_t value, std::uint64_t size, std::size_t section,
                           unsigned char kind) {
    typename Class::Symbol symbol{};
    symbol.st_name = name_offset(name);
    symbol.st_value = static_cast<decltype(symbol.st_value)>(value);
    symbol.st_size = static_cast<decltype(symbol.st_size)>(size);
    symbol.st_shndx = static_cast<std::uint16_t>(section);
    symbol.st_info = static_cast<unsigned char>(STB_GLOBAL << 4U | kind);
    symbols_.push_back(symbol);
    return static_cast<std::uint32_t>(symbols_.size() - 1);
  }

  /// Segments of one bank and one owner share a section, whose index this gives.
  std::size_t add_bank(const ConstantSegment& segment, const std::string& kernel) {
    const std::string name = fmt::format(".nv.constant{}{}", segment.bank, kernel.empty() ? "" : "." + kernel);
    auto found = std::find_if(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == name; });
    if (found == sections_.end()) {
      sections_.push_back({name, SHT_PROGBITS, SHF_ALLOC});
      found = std::prev(sections_.end());
    }
    found->bytes.resize(std::max(found->bytes.size(), segment.offset + segment.bytes.size()), '\0');
    std::copy(segment.bytes.begin(), segment.bytes.end(),
              found->bytes.begin() + static_cast<std::ptrdiff_t>(segment.offset));
    return static_cast<std::size_t>(found - sections_.begin());
  }

  void add_kernel(const Kernel& kernel) {
    constexpr unsigned register_shift = 24, barrier_shift = 20;
    Section code{".text." + kernel.name, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, symbols_index};
    for (const std::uint32_t word : encode_code(kernel, module_.sm, problems_)) append(code.bytes, word);
    const std::size_t index = sections_.size();
    const std::uint32_t symbol = add_symbol(kernel.name, 0, code.bytes.size(), index, STT_FUNC);
    code.flags |= std::uint64_t{kernel.barriers} << barrier_shift;
    code.info = std::min(kernel.registers, most_registers) << register_shift | symbol;
    sections_.push_back(std::move(code));
    if (kernel.shared_bytes != 0) add_memory(".nv.shared." + kernel.name, kernel.shared_bytes, index);
    if (kernel.local_bytes != 0) add_memory(".nv.local." + kernel.name, kernel.local_bytes, index);
    for (const ConstantSegment& segment : kernel.constants) add_bank(segment, kernel.name);
    for (const AddressSlot& slot : kernel.address_slots) add_room(slot, kernel.name);
    sections_.push_back({".nv.info." + kernel.name, nv_info_type, 0, symbols_index, static_cast<std::uint32_t>(index),
                         attributes(kernel)});
  }

  /// Relocations are of bytes that are there. A compiled kernel has no constants around its addresses.
  void add_room(const AddressSlot& slot, const std::string& kernel) {
    const std::string of_all = fmt::format(".nv.constant{}", slot.bank);
    const bool shared =
        std::any_of(sections_.begin(), sections_.end(), [&](const Section& s) { return s.name == of_all; });
    ConstantSegment room;
    room.bank = slot.bank;
    room.offset = slot.offset;
    room.bytes.resize(word_bytes);
    if (!shared) add_bank(room, kernel);
  }

  void add_memory(const std::string& name, std::uint32_t bytes, std::size_t code) {
    sections_.push_back({name, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0, static_cast<std::uint32_t>(code), "", bytes});
  }

  /// Which kernel reads which texture is not known: each names all of them.
  std::string attributes(const Kernel& kernel) const {
    constexpr std::uint16_t block_bytes = 0x1803, parameter = 0x1704, payload_bytes = 12;
    constexpr std::uint16_t image_slot = 0x0204, slot_bytes = 8, most_threads = 0x0504;
    constexpr unsigned size_shift = 18;
    std::string bytes;
    std::uint32_t end = 0;
    for (const Parameter& p : kernel.parameters)
      end = std::max(end, p.offset + (p.bytes != 0 ? p.bytes : bytes_of(p.type)));
    append(bytes, block_bytes);
    append(bytes, static_cast<std::uint16_t>(end));
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      const Parameter& p = kernel.parameters[i];
      append(bytes, parameter);
      append(bytes, payload_bytes);
      append(bytes, std::uint32_t{0});
      append(bytes, static_cast<std::uint16_t>(i));
      append(bytes, static_cast<std::uint16_t>(p.offset));
      append(bytes, (p.bytes != 0 ? p.bytes : bytes_of(p.type)) << size_shift);
    }
    if (kernel.most_threads != 0) {
      append(bytes, most_threads);
      append(bytes, payload_bytes);
      for (const std::uint32_t extent : {kernel.most_threads, 1U, 1U}) append(bytes, extent);
    }
    for (std::size_t i = 0; i < module_.textures.size(); ++i) {
      append(bytes, image_slot);
      append(bytes, slot_bytes);
      append(bytes, texture_symbols_[i]);
      append(bytes, module_.textures[i].slot);
    }
    return bytes;
  }

  /// Variables with contents, and those that start as 0, which take no room in the file.
  void add_variables() {
    if (module_.variables.empty()) return;
    std::vector<std::uint32_t> symbols(module_.variables.size());
    add_variables({".nv.global.init", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE}, symbols);
    add_variables({".nv.global", SHT_NOBITS, SHF_ALLOC | SHF_WRITE}, symbols);
    std::vector<Section> tables;
    for (std::size_t i = 0; i < sections_.size(); ++i) add_relocations(i, symbols, tables);
    add_relocations_of_variables(symbols, tables);
    std::move(tables.begin(), tables.end(), std::back_inserter(sections_));
  }

  /// The variables of one section.
  void add_variables(Section section, std::span<std::uint32_t> symbols) {
    constexpr std::size_t alignment = 16;
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const DeviceVariable& variable = module_.variables[i];
      if (variable.contents.empty() != (section.type == SHT_NOBITS)) continue;
      end = (end + alignment - 1) / alignment * alignment;
      symbols[i] = add_symbol(variable.name, end, variable.bytes, sections_.size(), STT_OBJECT);
      end += variable.bytes;
      if (section.type == SHT_NOBITS) continue;
      section.bytes.resize(end - variable.bytes, '\0');
      section.bytes.append(variable.contents.begin(), variable.contents.end());
      section.bytes.resize(end, '\0');
    }
    section.memory_bytes = end;
    if (end != 0) sections_.push_back(std::move(section));
  }

  void add_relocation(Section& table, std::uint64_t offset, std::uint32_t symbol, std::uint32_t addend) {
    constexpr std::uint32_t absolute_32 = 1;
    typename Class::Relocation relocation{};
    relocation.r_offset = static_cast<decltype(relocation.r_offset)>(offset);
    relocation.r_info = static_cast<decltype(relocation.r_info)>(symbol) << Class::symbol_shift | absolute_32;
    append(table.bytes, relocation);
    for (std::size_t i = 0; i < word_bytes; ++i)
      sections_[table.info].bytes.at(offset + i) = static_cast<char>(addend >> (8 * i));
  }
  [[nodiscard]] Section relocations_of(std::size_t target) const {
    return {".rel" + sections_[target].name, SHT_REL, 0, symbols_index, static_cast<std::uint32_t>(target)};
  }

  void add_relocations_of_variables(const std::vector<std::uint32_t>& symbols, std::vector<Section>& tables) {
    const auto found = std::find_if(sections_.begin(), sections_.end(),
                                    [](const Section& section) { return section.name == ".nv.global.init"; });
    if (found == sections_.end()) return;
    Section table = relocations_of(static_cast<std::size_t>(found - sections_.begin()));
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::uint64_t start = symbols_[symbols[i]].st_value;
      for (const VariableAddress& address : module_.variables[i].addresses)
        add_relocation(table, start + address.offset, symbols.at(address.variable), address.addend);
    }
    if (!table.bytes.empty()) tables.push_back(std::move(table));
  }

  /// Those of a bank of one kernel, or of a bank of all kernels, which every kernel repeats.
  void add_relocations(std::size_t target, const std::vector<std::uint32_t>& symbols, std::vector<Section>& tables) {
    Section table = relocations_of(target);
    for (const Kernel& kernel : module_.kernels) {
      for (const AddressSlot& slot : kernel.address_slots) {
        const std::string all = fmt::format(".nv.constant{}", slot.bank);
        if (sections_[target].name != all + "." + kernel.name && sections_[target].name != all) continue;
        add_relocation(table, slot.offset, symbols.at(slot.variable), slot.addend);
      }
      if (!table.bytes.empty()) break;
    }
    if (!table.bytes.empty()) tables.push_back(std::move(table));
  }

  std::string assembled() {
    constexpr std::size_t alignment = 8;
    std::vector<std::uint32_t> names;
    for (const Section& section : sections_) names.push_back(name_offset(section.name));
    sections_[names_index].bytes = names_;
    for (const auto& symbol : symbols_) append(sections_[symbols_index].bytes, symbol);
    sections_[symbols_index].link = names_index;
    sections_[symbols_index].info = 1;
    std::string bytes(sizeof(typename Class::Header), '\0');
    std::string table;
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, '\0');
      append(table, section_header(sections_[i], names[i], i == 0 ? 0 : bytes.size()));
      bytes += sections_[i].bytes;
    }
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, '\0');
    const typename Class::Header header = file_header(bytes.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    return bytes + table;
  }

  static typename Class::Section section_header(const Section& section, std::uint32_t name, std::size_t offset) {
    typename Class::Section header{};
    header.sh_name = name;
    header.sh_type = section.type;
    header.sh_flags = static_cast<decltype(header.sh_flags)>(section.flags);
    header.sh_offset = static_cast<decltype(header.sh_offset)>(offset);
    header.sh_size =
        static_cast<decltype(header.sh_size)>(section.type == SHT_NOBITS ? section.memory_bytes : section.bytes.size());
    header.sh_link = section.link;
    header.sh_info = section.info;
    header.sh_addralign = section.type == SHT_NULL ? 0 : 4;
    if (section.type == SHT_SYMTAB) header.sh_entsize = sizeof(typename Class::Symbol);
    if (section.type == SHT_REL) header.sh_entsize = sizeof(typename Class::Relocation);
    return header;
  }

  typename Class::Header file_header(std::size_t table) const {
    constexpr unsigned char os_cuda = 0x33, abi_version = 2;
    typename Class::Header header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = Class::ident;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_OSABI] = os_cuda;
    header.e_ident[EI_ABIVERSION] = abi_version;
    header.e_type = ET_EXEC;
    header.e_machine = elf_machine_cuda;
    header.e_version = EV_CURRENT;
    header.e_shoff = static_cast<decltype(header.e_shoff)>(table);
    header.e_flags = module_.sm | 0x100U | static_cast<std::uint32_t>(module_.sm) << 16U;
    header.e_ehsize = sizeof(typename Class::Header);
    header.e_shentsize = sizeof(typename Class::Section);
    header.e_shnum = static_cast<std::uint16_t>(sections_.size());
    header.e_shstrndx = names_index;
    return header;
  }

  const Module& module_;
  std::vector<Section> sections_;
  std::vector<typename Class::Symbol> symbols_;
  std::vector<std::uint32_t> texture_symbols_;
  std::string names_{'\0'};
  std::vector<Diagnostic> problems_;
};

}  // namespace

std::string write_elf_cubin(const Module& module, unsigned bits) {
  return bits == 64 ? ElfCubinWriter<Class64>(module).write() : ElfCubinWriter<Class32>(module).write();
}

}  // namespace teslasim
