// SPDX-License-Identifier: Apache-2.0
#include "frontend/cubin/text_cubin.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>

#include "frontend/cubin/cubin_limits.h"
#include "frontend/cubin/kernel_code.h"
#include "frontend/cubin/text_blocks.h"
#include "isa/encoding/encoding.h"

namespace teslasim {
namespace {

using namespace cubin;  // NOLINT(google-build-using-namespace): limits and banks

std::optional<std::uint32_t> number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class TextCubinReader {
 public:
  TextCubinReader(const std::string& path, std::string_view text, const ReadOptions& options)
      : text_(text), options_(options), problems_(path, text) {
    module_.path = path;
    module_.container = "text cubin";
  }

  Module read() {
    const CubinBlock file = parse_cubin_blocks(text_, problems_);
    problems_.throw_if_any();
    read_architecture(file);
    for (const CubinBlock& block : file.blocks) read_block(block);
    if (module_.kernels.empty() && !problems_.any())
      problems_.add("CUBIN-EMPTY", file.name, "the file has no kernel", "a kernel is a block 'code { ... }'");
    problems_.throw_if_any();
    return std::move(module_);
  }

 private:
  void read_architecture(const CubinBlock& file) {
    const CubinBlock* const block = file.block("architecture");
    if (block == nullptr || block->words.size() != 1) {
      problems_.add("CUBIN-FIELD", block == nullptr ? file.name : block->name, "the architecture is missing",
                    "the file starts with 'architecture {sm_10}'");
      return;
    }
    const CubinWord& word = block->words[0];
    for (std::uint8_t sm = lowest_sm; sm <= highest_sm; ++sm) {
      if (word.text == fmt::format("sm_{}", sm) || word.text == fmt::format("compute_{}", sm)) {
        module_.sm = sm;
        return;
      }
    }
    problems_.add("ISA-LEVEL", word, fmt::format("'{}' is not an architecture of this simulator", word.text),
                  "it executes code for sm_10, sm_11, sm_12 and sm_13");
  }

  void read_block(const CubinBlock& block) {
    const std::string_view name = block.name.text;
    if (name == "code") read_code(block);
    if (name == "consts") read_segment(block, user_bank, module_.constants);
    if (name == "reloc") read_segment(block, relocation_bank, module_.constants);
    if (name == "sampler") read_sampler(block);
  }

  /// A field with a number up to `most`. A missing one is an error unless there is a `missing` value for it.
  std::uint32_t field(const CubinBlock& block, std::string_view name, std::uint32_t most,
                      std::optional<std::uint32_t> missing = std::nullopt) {
    const CubinField* const found = block.field(name);
    if (found == nullptr) {
      if (!missing)
        problems_.add("CUBIN-FIELD", block.name, fmt::format("'{}' is missing in this block", name),
                      fmt::format("write '{} = number'", name));
      return missing.value_or(0);
    }
    const auto value = number(found->value.text);
    if (value && *value <= most) return *value;
    problems_.add("CUBIN-FIELD", found->value,
                  value ? fmt::format("'{}' is {}, more than {}", name, *value, most)
                        : fmt::format("'{}' is not a number", found->value.text),
                  fmt::format("'{}' is a number from 0 to {}", name, most));
    return 0;
  }

  std::vector<std::uint32_t> words(const CubinBlock& block) {
    std::vector<std::uint32_t> result;
    result.reserve(block.words.size());
    for (const CubinWord& word : block.words) {
      const auto value = number(word.text);
      if (!value)
        problems_.add("CUBIN-FIELD", word, fmt::format("'{}' is not a 32-bit word", word.text),
                      "words are written as 0x1000c805");
      result.push_back(value.value_or(0));
    }
    return result;
  }

  std::string name_of(const CubinBlock& block) {
    if (const CubinField* const found = block.field("name")) return std::string(found->value.text);
    problems_.add("CUBIN-FIELD", block.name, "'name' is missing in this block", "write 'name = word'");
    return "";
  }

  /// Bytes of a constant bank: `consts`, `reloc` and the `const` block of a kernel.
  void read_segment(const CubinBlock& block, std::uint8_t usual_bank, std::vector<ConstantSegment>& segments) {
    ConstantSegment segment;
    if (const CubinField* const found = block.field("name")) segment.name = std::string(found->value.text);
    segment.bank = static_cast<std::uint8_t>(field(block, "segnum", last_bank, usual_bank));
    segment.offset = field(block, "offset", most_constant);
    const std::uint32_t bytes = field(block, "bytes", most_constant);
    if (segment.offset + bytes > most_constant)
      problems_.add("CUBIN-FIELD", block.name, "this block reaches beyond the 65536 bytes of a constant bank",
                    "the file is damaged");
    constant_bytes_ += bytes;
    if (constant_bytes_ > most_constant_in_all) {
      problems_.add("CUBIN-FIELD", block.name, "the constant blocks of the file are larger than any program's",
                    "the file is damaged");
      problems_.throw_if_any();
    }
    segment.bytes.assign(bytes, 0);
    if (const CubinBlock* const memory = block.block("mem")) fill(segment, *memory);
    segments.push_back(std::move(segment));
  }

  void fill(ConstantSegment& segment, const CubinBlock& memory) {
    const std::size_t size = segment.bytes.size();
    const std::vector<std::uint32_t> values = words(memory);
    const std::size_t expected = (size + word_bytes - 1) / word_bytes;
    if (values.size() != expected) {
      problems_.add("CUBIN-FIELD", memory.name,
                    fmt::format("{} words where 'bytes = {}' needs {}", values.size(), size, expected),
                    "the file is damaged");
      return;
    }
    for (std::size_t i = 0; i < size; ++i)
      segment.bytes[i] = static_cast<std::uint8_t>(values[i / word_bytes] >> (8 * (i % word_bytes)));
  }

  void read_sampler(const CubinBlock& block) {
    TextureReference texture;
    texture.name = name_of(block);
    texture.slot = field(block, "texunit", most_textures - 1);
    module_.textures.push_back(std::move(texture));
  }

  void read_code(const CubinBlock& block) {
    Kernel kernel;
    kernel.name = name_of(block);
    if (!kernel.name.empty() && !names_.insert(kernel.name).second)
      problems_.add("CUBIN-FIELD", block.name, fmt::format("there is a second kernel '{}'", kernel.name),
                    "kernels of a file have different names");
    kernel.registers = field(block, "reg", most_registers);
    kernel.shared_bytes = field(block, "smem", most_shared, 0);
    kernel.local_bytes = field(block, "lmem", most_local, 0);
    kernel.barriers = field(block, "bar", most_barriers, 0);
    for (const CubinBlock& inner : block.blocks) {
      if (inner.name.text == "const") read_segment(inner, literal_bank, kernel.constants);
    }
    const CubinBlock* const code = block.block("bincode");
    if (code == nullptr || code->words.empty()) {
      problems_.add("CUBIN-FIELD", code == nullptr ? block.name : code->name,
                    fmt::format("kernel '{}' has no code", kernel.name), "its words stand in 'bincode { ... }'");
      return;
    }
    decode_kernel(std::move(kernel), *code);
  }

  void decode_kernel(Kernel kernel, const CubinBlock& code) {
    DecodedCode decoded = decode_code(words(code), module_.sm, options_.machine_sm);
    const CodePlace place{kernel.name, problems_.place(code.name), problems_.excerpt(code.name)};
    for (Diagnostic& problem : problems_of(decoded, place, module_.sm, options_)) problems_.add(std::move(problem));
    if (problems_.any()) return;
    adopt_code(kernel, std::move(decoded));
    module_.kernels.push_back(std::move(kernel));
  }

  std::string_view text_;
  const ReadOptions& options_;
  CubinProblems problems_;
  Module module_;
  std::set<std::string> names_;
  std::uint32_t constant_bytes_ = 0;
};

}  // namespace

bool looks_like_text_cubin(std::string_view text) {
  constexpr std::string_view first_word = "architecture";
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return false;
  text.remove_prefix(start);
  if (!text.starts_with(first_word)) return false;
  const std::size_t brace = text.find_first_not_of(" \t\r\n", first_word.size());
  return brace != std::string_view::npos && text[brace] == '{';
}

Module read_text_cubin(const std::string& path, std::string_view text, const ReadOptions& options) {
  return TextCubinReader(path, text, options).read();
}

}  // namespace teslasim
