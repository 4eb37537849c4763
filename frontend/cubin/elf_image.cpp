// SPDX-License-Identifier: Apache-2.0
#include "frontend/cubin/elf_image.h"

#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "sim/base/utf8.h"

namespace teslasim {
namespace {

constexpr std::string_view damaged = "the file is damaged or cut short";
constexpr std::size_t most_sections = 65280;  ///< SHN_LORESERVE: larger tables are never needed by a cubin

struct ElfDeleter {
  void operator()(Elf* elf) const { elf_end(elf); }
};

/// What both classes say in their headers, widened.
struct Header {
  std::uint64_t section_table = 0;
  std::uint64_t program_table = 0;
  std::uint32_t sections = 0;
  std::uint32_t section_size = 0;
  std::uint32_t programs = 0;
  std::uint32_t program_size = 0;
  std::uint32_t names = 0;
  std::uint16_t machine = 0;
  std::uint32_t flags = 0;
};

template <typename Native>
Header widened(std::string_view bytes) {
  Native native;
  std::memcpy(&native, bytes.data(), sizeof native);
  return {native.e_shoff,     native.e_phoff,    native.e_shnum,   native.e_shentsize, native.e_phnum,
          native.e_phentsize, native.e_shstrndx, native.e_machine, native.e_flags};
}

unsigned class_of(std::string_view bytes) {
  if (bytes.size() < sizeof(Elf32_Ehdr) || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0) return 0;
  if (bytes[EI_DATA] != ELFDATA2LSB) return 0;
  if (bytes[EI_CLASS] == ELFCLASS32) return 32;
  return bytes[EI_CLASS] == ELFCLASS64 && bytes.size() >= sizeof(Elf64_Ehdr) ? 64 : 0;
}

Header header_of(std::string_view bytes) {
  return class_of(bytes) == 64 ? widened<Elf64_Ehdr>(bytes) : widened<Elf32_Ehdr>(bytes);
}

template <typename Native>
std::uint64_t end_of_section(std::string_view bytes, std::uint64_t at) {
  Native native;
  std::memcpy(&native, bytes.data() + at, sizeof native);
  const bool in_file = native.sh_type != SHT_NOBITS && native.sh_type != SHT_NULL;
  return in_file ? std::uint64_t{native.sh_offset} + native.sh_size : 0;
}

/// `count` entries of `size` bytes at `offset` lie within `bytes`. All of them fit 64 bits without overflow checks
/// except the offset.
bool fits(std::uint64_t offset, std::uint64_t count, std::uint64_t size, std::uint64_t bytes) {
  return offset <= bytes && count * size <= bytes - offset;
}

/// A name as text cubins and traces can hold it: UTF-8, without blanks and punctuation.
std::string one_word(std::string_view name) {
  std::string word;
  for (const char c : with_escaped_bytes(name)) {
    const bool fits = static_cast<unsigned char>(c) > ' ' && c != '{' && c != '}' && c != '=' && c != '\x7f';
    word += fits ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return word;
}

}  // namespace

ElfIdentity identify_elf(std::string_view bytes) {
  ElfIdentity identity;
  identity.bits = class_of(bytes);
  if (identity.bits == 0) return {};
  const Header header = header_of(bytes);
  identity.machine = header.machine;
  identity.flags = header.flags;
  const std::uint64_t section_bytes = identity.bits == 64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
  identity.extent = identity.bits == 64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
  const auto reach = [&](std::uint64_t end) {
    if (end <= bytes.size()) identity.extent = std::max(identity.extent, end);
  };
  if (fits(header.program_table, header.programs, header.program_size, bytes.size()))
    reach(header.program_table + std::uint64_t{header.programs} * header.program_size);
  if (header.section_size != section_bytes || !fits(header.section_table, header.sections, section_bytes, bytes.size()))
    return identity;
  reach(header.section_table + header.sections * section_bytes);
  for (std::uint64_t i = 0; i < header.sections; ++i) {
    const std::uint64_t at = header.section_table + i * section_bytes;
    reach(identity.bits == 64 ? end_of_section<Elf64_Shdr>(bytes, at) : end_of_section<Elf32_Shdr>(bytes, at));
  }
  return identity;
}

ElfImage::ElfImage(std::string path, std::string_view bytes, std::uint64_t base)
    : path_(std::move(path)), storage_(bytes.begin(), bytes.end()), base_(base), identity_(identify_elf(bytes)) {
  if (identity_.bits == 0)
    throw InputError(ExitCode::input, problem("CUBIN-ELF", "the ELF header is damaged or not little endian", 0,
                                              "cubins are little-endian ELF files of 32 or 64 bits"));
  check_tables();
  read_with_libelf();
  check_sections();
}

Diagnostic ElfImage::problem(std::string code, std::string message, std::uint64_t offset, std::string help) const {
  Diagnostic result;
  result.code = std::move(code);
  result.message = std::move(message);
  result.where.file = path_;
  result.details.push_back(fmt::format("at file offset {:#x}", base_ + offset));
  result.help = std::move(help);
  return result;
}

Diagnostic ElfImage::problem(std::string code, std::string message, const ElfSection& section, std::string help) const {
  Diagnostic result = problem(std::move(code), std::move(message), section.offset, std::move(help));
  result.details.back() += fmt::format(", section '{}' of {} bytes", section.name, section.size);
  return result;
}

void ElfImage::check_tables() const {
  const std::string_view bytes(storage_.data(), storage_.size());
  const Header header = header_of(bytes);
  const bool wide = identity_.bits == 64;
  const std::uint32_t section_bytes = wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
  const auto refuse = [&](std::string message, std::uint64_t offset) {
    throw InputError(ExitCode::input, problem("CUBIN-ELF", std::move(message), offset, std::string(damaged)));
  };
  if (header.sections == 0 || header.section_table == 0) refuse("the ELF file has no section table", 0);
  if (header.section_size != section_bytes)
    refuse(fmt::format("entries of the section table have {} bytes instead of {}", header.section_size, section_bytes),
           0);
  if (header.sections >= most_sections || !fits(header.section_table, header.sections, section_bytes, bytes.size()))
    refuse(fmt::format("the section table ({} entries at offset {:#x}) reaches beyond the {} bytes of the image",
                       header.sections, header.section_table, bytes.size()),
           header.section_table);
  if (header.names >= header.sections)
    refuse(fmt::format("the names of sections are said to stand in section {}, but there are {}", header.names,
                       header.sections),
           0);
}

void ElfImage::read_with_libelf() {
  (void)elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, ElfDeleter> elf(elf_memory(storage_.data(), storage_.size()));
  const auto refuse = [&](std::string message, std::uint64_t offset) {
    throw InputError(ExitCode::input, problem("CUBIN-ELF", std::move(message), offset, std::string(damaged)));
  };
  std::size_t count = 0, names = 0;
  if (!elf || elf_getshdrnum(elf.get(), &count) != 0 || elf_getshdrstrndx(elf.get(), &names) != 0)
    refuse(fmt::format("the ELF header cannot be read: {}", elf_errmsg(-1)), 0);
  std::vector<std::size_t> symbol_tables, relocation_tables;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Shdr header;
    if (gelf_getshdr(elf_getscn(elf.get(), i), &header) == nullptr)
      refuse(fmt::format("section {} cannot be read: {}", i, elf_errmsg(-1)), 0);
    ElfSection section{
        "", header.sh_type, header.sh_flags, header.sh_offset, header.sh_size, header.sh_link, header.sh_info, {}};
    const bool in_file = header.sh_type != SHT_NOBITS && header.sh_type != SHT_NULL;
    if (in_file && !fits(header.sh_offset, header.sh_size, 1, storage_.size()))
      refuse(fmt::format("section {} ({} bytes at offset {:#x}) reaches beyond the {} bytes of the image", i,
                         header.sh_size, header.sh_offset, storage_.size()),
             header.sh_offset);
    const auto* const data = reinterpret_cast<const std::uint8_t*>(storage_.data());  // NOLINT: chars as bytes
    if (in_file) section.bytes = {data + header.sh_offset, header.sh_size};
    const char* const name = elf_strptr(elf.get(), names, header.sh_name);
    if (name == nullptr) refuse(fmt::format("the name of section {} lies outside the table of names", i), 0);
    section.name = one_word(name);
    sections_.push_back(std::move(section));
    if (header.sh_type == SHT_SYMTAB) symbol_tables.push_back(i);
    if (header.sh_type == SHT_REL || header.sh_type == SHT_RELA) relocation_tables.push_back(i);
  }
  if (symbol_tables.size() > 1) refuse("the file has more than one symbol table", sections_[symbol_tables[1]].offset);
  for (const std::size_t table : symbol_tables) {
    Elf_Data* const data = elf_getdata(elf_getscn(elf.get(), table), nullptr);
    const bool linked = sections_[table].link < count && sections_[sections_[table].link].type == SHT_STRTAB;
    if (data == nullptr || !linked) refuse("the symbol table has no table of names", sections_[table].offset);
    GElf_Sym symbol;
    for (int i = 0; gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      const char* const name = elf_strptr(elf.get(), sections_[table].link, symbol.st_name);
      const bool real = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < count;
      symbols_.push_back({name == nullptr ? "" : one_word(name), symbol.st_value, symbol.st_size,
                          real ? symbol.st_shndx : 0U, static_cast<unsigned>(GELF_ST_TYPE(symbol.st_info))});
    }
  }
  for (const std::size_t table : relocation_tables) read_relocations(elf.get(), table);
}

void ElfImage::read_relocations(void* elf, std::size_t table) {
  Elf_Data* const data = elf_getdata(elf_getscn(static_cast<Elf*>(elf), table), nullptr);
  if (data == nullptr)
    throw InputError(ExitCode::input,
                     problem("CUBIN-ELF", fmt::format("the relocations of section {} cannot be read", table),
                             sections_[table].offset, std::string(damaged)));
  RelocationSection section{sections_[table].info, {}};
  GElf_Rel rel;
  GElf_Rela rela;
  if (sections_[table].type == SHT_REL) {
    for (int i = 0; gelf_getrel(data, i, &rel) != nullptr; ++i)
      section.entries.push_back({rel.r_offset, static_cast<std::uint32_t>(GELF_R_TYPE(rel.r_info)),
                                 static_cast<std::uint32_t>(GELF_R_SYM(rel.r_info)), 0, true});
  } else {
    for (int i = 0; gelf_getrela(data, i, &rela) != nullptr; ++i)
      section.entries.push_back({rela.r_offset, static_cast<std::uint32_t>(GELF_R_TYPE(rela.r_info)),
                                 static_cast<std::uint32_t>(GELF_R_SYM(rela.r_info)),
                                 static_cast<std::uint64_t>(rela.r_addend), false});
  }
  relocations_.push_back(std::move(section));
}

void ElfImage::check_sections() const {
  std::vector<const ElfSection*> placed;
  for (const ElfSection& section : sections_) {
    if (!section.bytes.empty()) placed.push_back(&section);
  }
  std::sort(placed.begin(), placed.end(),
            [](const ElfSection* left, const ElfSection* right) { return left->offset < right->offset; });
  const std::uint64_t header_bytes = identity_.bits == 64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
  std::uint64_t end = header_bytes;
  const ElfSection* before = nullptr;
  for (const ElfSection* section : placed) {
    if (section->offset < end) {
      const std::string other = before == nullptr ? "the ELF header" : "section '" + before->name + "'";
      throw InputError(ExitCode::input,
                       problem("CUBIN-ELF", fmt::format("section '{}' overlaps {}", section->name, other), *section,
                               std::string(damaged)));
    }
    end = section->offset + section->size;
    before = section;
  }
}

std::vector<ElfRelocation> ElfImage::relocations_of(std::size_t target) const {
  std::vector<ElfRelocation> found;
  for (const RelocationSection& section : relocations_) {
    if (section.target == target) found.insert(found.end(), section.entries.begin(), section.entries.end());
  }
  return found;
}

}  // namespace teslasim
