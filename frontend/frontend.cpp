// SPDX-License-Identifier: Apache-2.0
#include "frontend/frontend.h"

#include <algorithm>
#include <array>

#include "frontend/cubin/text_cubin.h"
#include "frontend/text/assembler.h"
#include "sim/base/diagnostic.h"
#include "sim/base/text_file.h"

namespace teslasim {
namespace {

[[noreturn]] void refuse(const std::string& path, std::string code, std::string message, std::string help) {
  Diagnostic problem;
  problem.code = std::move(code);
  problem.message = std::move(message);
  problem.where.file = path;
  problem.help = std::move(help);
  throw InputError(ExitCode::input, std::move(problem));
}

bool is_elf(std::string_view bytes) {
  return bytes.starts_with(
      "\x7f"
      "ELF");
}

/// Text of any encoding that keeps ASCII: no zero bytes and hardly any control characters.
bool is_plain_text(std::string_view bytes) {
  constexpr std::size_t enough = 4096;
  const std::string_view start = bytes.substr(0, enough);
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v';
  };
  return std::none_of(start.begin(), start.end(), is_control);
}

Module refuse_elf(const std::string& path, std::string_view /*bytes*/) {
  refuse(path, "INPUT-FORMAT", "this is an ELF file; ELF cubins are not supported yet",
         "give a text cubin (nvcc before CUDA 3.0) or assembly");
}

Module read_assembly(const std::string& path, std::string_view bytes) {
  return assemble_text(bytes, path);
}

/// A kind of file: how to recognise it and how to read it.
struct Reader {
  std::string_view kind;
  bool (*recognises)(std::string_view bytes);
  Module (*read)(const std::string& path, std::string_view bytes);
};

constexpr std::array readers{
    Reader{"ELF file", is_elf, refuse_elf},
    Reader{"text cubin", looks_like_text_cubin, read_text_cubin},
    Reader{"assembly", is_plain_text, read_assembly},
};

const Reader* reader_for(std::string_view bytes) {
  const auto* const found =
      std::find_if(readers.begin(), readers.end(), [&](const Reader& reader) { return reader.recognises(bytes); });
  return found == readers.end() ? nullptr : found;
}

}  // namespace

std::string_view kind_of_module(std::string_view bytes) {
  const Reader* const reader = reader_for(bytes);
  return reader == nullptr ? std::string_view{} : reader->kind;
}

Module read_module_bytes(const std::string& path, std::string_view bytes) {
  if (const Reader* const reader = reader_for(bytes)) return reader->read(path, bytes);
  refuse(path, "INPUT-FORMAT", "this file is neither assembly nor a cubin",
         "give assembly text (docs/assembly.md) or a text cubin ('architecture {sm_10} ...')");
}

Module read_module(const std::string& path) {
  const TextFile file = read_text_file(path);
  if (!file.error.empty())
    refuse(path, "INPUT-FILE", "the file '" + path + "' cannot be read: " + file.error, "check the name");
  return read_module_bytes(path, file.text);
}

}  // namespace teslasim
