// SPDX-License-Identifier: Apache-2.0
// The sections, symbols and relocations of an ELF image in memory, checked. No meaning yet.
//
// Knows: 32- and 64-bit class, little endian. libelf reads; everything that it would take on trust (places and sizes of
// the tables, sections inside the file that do not overlap, links to the right kind of section) is checked before.
// Errors: InputError (exit code `input`), code CUBIN-ELF, with the offset in the file.
// Source: Tool Interface Standard, ELF specification 1.2; gABI chapters 4 and 5.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {

inline constexpr std::uint16_t elf_machine_cuda = 190;

/// The few facts of the ELF header that can be read without looking further; all 0 when the bytes are not ELF.
struct ElfIdentity {
  unsigned bits = 0;  ///< 32 or 64
  std::uint16_t machine = 0;
  std::uint32_t flags = 0;
  std::uint64_t extent = 0;  ///< bytes of the file up to the end of its tables and sections
};
[[nodiscard]] ElfIdentity identify_elf(std::string_view bytes);

struct ElfSection {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;  ///< in the image
  std::uint64_t size = 0;    ///< of a section without bytes in the file: what it occupies in memory
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::span<const std::uint8_t> bytes;  ///< empty for sections without bytes in the file
};

struct ElfSymbol {
  std::string name;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
  std::uint32_t section = 0;  ///< index, 0 = none
  unsigned kind = 0;          ///< STT_OBJECT, STT_FUNC, STT_SECTION...
};

struct ElfRelocation {
  std::uint64_t offset = 0;  ///< in the section that is relocated
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;
  std::uint64_t addend = 0;
  bool addend_in_place = true;  ///< REL: what stands at the place is added
};

class ElfImage {
 public:
  /// `base` is where the image begins in the file `path`, for messages.
  ElfImage(std::string path, std::string_view bytes, std::uint64_t base = 0);

  [[nodiscard]] const ElfIdentity& identity() const { return identity_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Index 0 is the null section.
  [[nodiscard]] const std::vector<ElfSection>& sections() const { return sections_; }
  [[nodiscard]] const std::vector<ElfSymbol>& symbols() const { return symbols_; }
  /// Of all relocation sections that apply to section `target`.
  [[nodiscard]] std::vector<ElfRelocation> relocations_of(std::size_t target) const;

  /// A problem at `offset` of the image, in words and with the offset in the file.
  [[nodiscard]] Diagnostic problem(std::string code, std::string message, std::uint64_t offset, std::string help) const;
  [[nodiscard]] Diagnostic problem(std::string code, std::string message, const ElfSection& section,
                                   std::string help) const;

 private:
  void check_tables() const;
  void read_with_libelf();
  void read_relocations(void* elf, std::size_t table);  ///< `elf` is libelf's own handle
  void check_sections() const;

  struct RelocationSection {
    std::uint32_t target = 0;
    std::vector<ElfRelocation> entries;
  };

  std::string path_;
  std::vector<char> storage_;  ///< aligned copy: images inside other files start anywhere
  std::uint64_t base_;
  ElfIdentity identity_;
  std::vector<ElfSection> sections_;
  std::vector<ElfSymbol> symbols_;
  std::vector<RelocationSection> relocations_;
};

}  // namespace teslasim
