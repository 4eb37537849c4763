// SPDX-License-Identifier: Apache-2.0
#include "frontend/frontend.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "frontend/clang/compile_cuda.h"
#include "frontend/compiler/compile.h"
#include "frontend/cubin/elf_cubin.h"
#include "frontend/cubin/elf_image.h"
#include "frontend/cubin/embedded_images.h"
#include "frontend/cubin/text_cubin.h"
#include "frontend/ptx/ptx_reader.h"
#include "frontend/text/assembler.h"
#include "frontend/text/listing_reader.h"
#include "sim/base/diagnostic.h"
#include "sim/base/text_file.h"
#include "sim/base/utf8.h"

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

Module read_assembly(const std::string& path, std::string_view bytes, const ReadOptions& /*options*/) {
  Module module = assemble_text(bytes, path);
  module.container = "assembly";
  return module;
}

/// Names of a text go into traces and reports, which are UTF-8.
void require_utf8(const std::string& path, std::string_view text) {
  const std::size_t offset = first_not_utf8(text);
  if (offset == std::string_view::npos) return;
  const std::string_view before = text.substr(0, offset);
  const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  Diagnostic problem;
  problem.code = "INPUT-ENCODING";
  problem.message = "this byte is not UTF-8";
  problem.excerpt = text.substr(start, text.find('\n', offset) - start);
  problem.where = {path, static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n')),
                   column_of_offset(problem.excerpt, offset - start), 1};
  problem.help = "save the file as UTF-8";
  throw InputError(ExitCode::input, std::move(problem));
}

Module read_utf8_cubin(const std::string& path, std::string_view text, const ReadOptions& options) {
  require_utf8(path, text);
  return read_text_cubin(path, text, options);
}

Module read_utf8_listing(const std::string& path, std::string_view text, const ReadOptions& options) {
  require_utf8(path, text);
  return read_listing(path, text, options);
}

Module read_cubin(const std::string& path, std::string_view bytes, const ReadOptions& options) {
  return read_elf_cubin(path, bytes, options);
}

/// Text that people take for assembly: how its first statement begins, what it is, what to do.
struct OtherText {
  std::string_view start;
  const char* what;
  const char* help;
};
constexpr std::array other_texts{
    OtherText{"schema", "this is a configuration, launch or plan file, not code",
              "run LAUNCH.toml; a machine goes with -c, a launch for a code file with --launch"},
};

/// The text after leading blanks and comments.
std::string_view first_statement(std::string_view text) {
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with("//") && !text.starts_with("#")) break;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  return text;
}

bool is_ptx(std::string_view bytes) {
  return is_plain_text(bytes) && first_statement(bytes).starts_with(".version");
}

/// For the machine that is going to run it, or for the level that was asked for.
compiler::CompileOptions choices_for_machine(const ReadOptions& options) {
  compiler::CompileOptions choices = options.cuda.code;
  if (options.machine_sm != 0 && !choices.level_named) choices.sm = std::min(options.machine_sm, choices.sm);
  return choices;
}

Module read_ptx_module(const std::string& path, std::string_view text, const ReadOptions& options) {
  require_utf8(path, text);
  compiler::CompileOptions choices = choices_for_machine(options);
  choices.ptx_lines = true;
  Module module = compiler::compile_ptx(ptx::read_checked_ptx(text, path), path, choices, text).module;
  if (module.kernels.empty())
    refuse(path, "INPUT-FORMAT", "this PTX file has no kernel", "a kernel is an .entry with a body");
  module.source_lines = lines_of(text);
  return module;
}

const OtherText* other_text(std::string_view bytes) {
  if (!is_plain_text(bytes)) return nullptr;
  const std::string_view start = first_statement(bytes);
  const auto found = std::find_if(other_texts.begin(), other_texts.end(),
                                  [start](const OtherText& text) { return start.starts_with(text.start); });
  return found == other_texts.end() ? nullptr : &*found;
}

bool is_other_text(std::string_view bytes) {
  return other_text(bytes) != nullptr;
}

[[noreturn]] Module refuse_other_text(const std::string& path, std::string_view bytes, const ReadOptions& /*options*/) {
  const OtherText& text = *other_text(bytes);
  refuse(path, "INPUT-FORMAT", text.what, text.help);
}

/// A kind of file: how to recognise it and how to read it.
struct Reader {
  bool (*recognises)(std::string_view bytes);
  Module (*read)(const std::string& path, std::string_view bytes, const ReadOptions& options);
};

constexpr std::array readers{
    Reader{looks_like_elf_cubin, read_cubin},
    Reader{looks_like_text_cubin, read_utf8_cubin},
    Reader{is_ptx, read_ptx_module},
    Reader{looks_like_listing, read_utf8_listing},
    Reader{is_other_text, refuse_other_text},
    Reader{is_plain_text, read_assembly},
    Reader{has_embedded_images, read_embedded_images},
};

}  // namespace

Module read_module_bytes(const std::string& path, std::string_view bytes, const ReadOptions& options) {
  for (const Reader& reader : readers) {
    if (reader.recognises(bytes)) return reader.read(path, bytes, options);
  }
  const std::string what = identify_elf(bytes).bits == 0 ? "this file is neither assembly nor a cubin"
                                                         : "this ELF file is not GPU code and holds none";
  refuse(
      path, "INPUT-FORMAT", what,
      "give assembly text (docs/assembly.md), a cubin of nvcc, or a program with GPU code for sm_10 to sm_13 inside");
}

Module read_module(const std::string& path, const ReadOptions& options) {
  if (cuda::is_cuda_file(path)) {
    cuda::CudaOptions choices = options.cuda;
    choices.code = choices_for_machine(options);
    return cuda::compile_cuda(path, choices).module;
  }
  constexpr std::size_t largest_program = std::size_t{256} << 20U;
  const TextFile file = read_text_file(path, largest_program);
  if (!file.error.empty())
    refuse(path, "INPUT-FILE", "the file '" + path + "' cannot be read: " + file.error, "check the name");
  return read_module_bytes(path, file.text, options);
}

}  // namespace teslasim
