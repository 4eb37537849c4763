// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/device/npy.h"
#include "sim/base/command_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"

namespace teslasim {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = 64 * 1024 + 12;
constexpr std::size_t alignment = 64;

struct Descriptor {
  std::string_view text;
  ValueType type;
};
/// The second row of a size is what b types are written as.
constexpr std::array<Descriptor, 10> descriptors{{{"<f4", ValueType::f32},
                                                  {"<u4", ValueType::u32},
                                                  {"<i4", ValueType::s32},
                                                  {"|u1", ValueType::u8},
                                                  {"|i1", ValueType::s8},
                                                  {"<u2", ValueType::u16},
                                                  {"<i2", ValueType::s16},
                                                  {"<f8", ValueType::f64},
                                                  {"<u8", ValueType::u64},
                                                  {"<i8", ValueType::s64}}};

ValueType written_as(ValueType type) {
  switch (type) {
    case ValueType::b16:
      return ValueType::u16;
    case ValueType::b32:
      return ValueType::u32;
    case ValueType::b64:
      return ValueType::u64;
    default:
      return type;
  }
}

/// Reads the Python dictionary of the header; knows just what NumPy writes: strings, True/False and a tuple of
/// integers.
class DictionaryReader {
 public:
  explicit DictionaryReader(std::string_view text) : text_(text) {}

  std::optional<NpyProblem> read() {
    if (!take('{')) return NpyProblem{"the header of the array does not begin with '{'"};
    while (!take('}')) {
      const std::optional<std::string_view> key = quoted();
      if (!key || !take(':')) return NpyProblem{"the header of the array is damaged"};
      if (std::optional<NpyProblem> problem = value(*key)) return problem;
      (void)take(',');
    }
    if (!descriptor_ || !shape_ || !fortran_) return NpyProblem{"the header lacks 'descr', 'fortran_order' or 'shape'"};
    return std::nullopt;
  }

  [[nodiscard]] std::string_view descriptor() const { return *descriptor_; }
  [[nodiscard]] const std::vector<std::uint64_t>& shape() const { return *shape_; }
  [[nodiscard]] bool fortran() const { return *fortran_; }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(char wanted) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    skip_spaces();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  std::optional<std::string_view> quoted() {
    skip_spaces();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return inside;
  }
  std::optional<std::uint64_t> number() {
    skip_spaces();
    std::uint64_t value = 0;
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      const auto digit = static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return std::nullopt;
      value = value * 10 + digit;
      ++at_;
    }
    if (at_ == begin) return std::nullopt;
    return value;
  }
  std::optional<NpyProblem> tuple() {
    shape_.emplace();
    if (!take('(')) return NpyProblem{"the shape of the array is not a tuple"};
    while (!take(')')) {
      const std::optional<std::uint64_t> extent = number();
      if (!extent) return NpyProblem{"the shape of the array is damaged"};
      shape_->push_back(*extent);
      (void)take(',');
    }
    return std::nullopt;
  }
  std::optional<NpyProblem> value(std::string_view key) {
    if (key == "descr") {
      descriptor_ = quoted();
      if (!descriptor_) return NpyProblem{"structured element types are not supported"};
      return std::nullopt;
    }
    if (key == "shape") return tuple();
    if (key != "fortran_order") return NpyProblem{"the header has an unknown key '" + std::string(key) + "'"};
    if (take_word("True")) {
      fortran_ = true;
    } else if (take_word("False")) {
      fortran_ = false;
    } else {
      return NpyProblem{"'fortran_order' is neither True nor False"};
    }
    return std::nullopt;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<std::string_view> descriptor_;
  std::optional<std::vector<std::uint64_t>> shape_;
  std::optional<bool> fortran_;
};

/// Product of the extents and the element size; nullopt when it does not fit 64 bits.
std::optional<std::uint64_t> product(const std::vector<std::uint64_t>& shape, std::uint64_t element_bytes) {
  std::uint64_t total = 1;
  for (const std::uint64_t extent : shape) {
    if (extent != 0 && total > std::numeric_limits<std::uint64_t>::max() / element_bytes / extent) return std::nullopt;
    total *= extent;
  }
  return total;
}

std::variant<NpyHeader, NpyProblem> header_of(const DictionaryReader& dictionary, std::uint64_t data_offset) {
  NpyHeader header;
  header.data_offset = data_offset;
  header.shape = dictionary.shape();
  const auto* row = std::find_if(descriptors.begin(), descriptors.end(),
                                 [&](const Descriptor& d) { return d.text == dictionary.descriptor(); });
  if (row == descriptors.end()) {
    return NpyProblem{"element type '" + std::string(dictionary.descriptor()) +
                      "' is not supported (little-endian integers, float32 and float64 are)"};
  }
  header.type = row->type;
  if (dictionary.fortran() && header.shape.size() > 1) return NpyProblem{"the array is in Fortran order"};
  const std::optional<std::uint64_t> elements = product(header.shape, bytes_of(header.type));
  if (!elements) return NpyProblem{"the shape of the array is too large"};
  header.elements = *elements;
  return header;
}

}  // namespace

std::variant<NpyHeader, NpyProblem> parse_npy_header(std::span<const std::byte> start) {
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  if (text.size() < 10 || text.substr(0, magic.size()) != magic) return NpyProblem{"this is not a .npy file"};
  const auto version = static_cast<unsigned char>(text[6]);
  if (version < 1 || version > 3) {
    return NpyProblem{"version " + std::to_string(version) + " of the .npy format is not supported (1, 2 and 3 are)"};
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (text.size() < 8 + length_bytes) return NpyProblem{"the file ends inside its header"};
  std::uint64_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = (length << 8U) | static_cast<unsigned char>(text[8 + i]);
  const std::uint64_t data_offset = 8 + length_bytes + length;
  if (data_offset > text.size()) return NpyProblem{"the file ends inside its header"};
  DictionaryReader dictionary(text.substr(8 + length_bytes, length));
  if (std::optional<NpyProblem> problem = dictionary.read()) return *problem;
  return header_of(dictionary, data_offset);
}

std::variant<NpyHeader, NpyProblem> inspect_npy(const std::string& path) {
  std::error_code error;
  const std::uint64_t file_bytes = std::filesystem::file_size(path, error);
  note_input(path);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) return NpyProblem{"the file cannot be read"};
  std::vector<std::byte> start(std::min<std::uint64_t>(file_bytes, longest_header));
  file.read(reinterpret_cast<char*>(start.data()), static_cast<std::streamsize>(start.size()));
  if (!file && !start.empty()) return NpyProblem{"the file cannot be read"};
  std::variant<NpyHeader, NpyProblem> result = parse_npy_header(start);
  if (const auto* header = std::get_if<NpyHeader>(&result)) {
    const std::uint64_t wanted = header->elements * bytes_of(header->type);
    const std::uint64_t present = file_bytes - header->data_offset;
    if (present < wanted) {
      return NpyProblem{"the file ends early: " + std::to_string(present) + " of " + std::to_string(wanted) +
                        " bytes of data"};
    }
  }
  return result;
}

std::vector<std::byte> npy_bytes(ValueType type, std::span<const std::byte> elements) {
  const ValueType written = written_as(type);
  const auto* row =
      std::find_if(descriptors.begin(), descriptors.end(), [&](const Descriptor& d) { return d.type == written; });
  SIM_CHECK(row != descriptors.end(), "an element type that .npy does not have");
  const std::size_t count = elements.size() / bytes_of(type);
  std::string header = "{'descr': '" + std::string(row->text) + "', 'fortran_order': False, 'shape': (" +
                       std::to_string(count) + ",), }";
  // Version 1.0 wants the data at a multiple of 64 bytes: spaces, then a newline.
  const std::size_t start = magic.size() + 4;
  const std::size_t total = (start + header.size() + 1 + alignment - 1) / alignment * alignment;
  header.append(total - start - header.size() - 1, ' ');
  header += '\n';

  std::string head(magic);
  head += '\x01';
  head += '\x00';
  head += static_cast<char>(header.size() & 0xffU);
  head += static_cast<char>(header.size() >> 8U);
  head += header;
  std::vector<std::byte> bytes(head.size() + elements.size());
  std::memcpy(bytes.data(), head.data(), head.size());
  std::copy(elements.begin(), elements.end(), bytes.begin() + static_cast<std::ptrdiff_t>(head.size()));
  return bytes;
}

void write_npy(const std::string& path, ValueType type, std::span<const std::byte> elements) {
  const std::vector<std::byte> bytes = npy_bytes(type, elements);
  write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace teslasim
