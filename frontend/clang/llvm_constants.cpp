// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/llvm_constants.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>

namespace teslasim::cuda {
namespace {

using Kind = LlvmType::Kind;

/// A number, or a symbol plus a number.
struct Sum {
  std::string symbol{};
  std::int64_t addend = 0;
};

std::optional<std::uint64_t> hexadecimal(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  return value;
}

class ConstantReader {
 public:
  ConstantReader(LlvmCursor& cursor, const LlvmTypes& types) : cursor_(cursor), types_(types) {}

  bool read(const LlvmType& type, std::uint64_t at) {
    if (cursor_.accept("zeroinitializer") || cursor_.accept("undef") || cursor_.accept("null")) return true;
    switch (type.kind) {
      case Kind::array:
        return cursor_.is("c\"") ? read_characters(at) : read_elements(type, at);
      case Kind::structure:
        return read_members(type, at);
      case Kind::real:
        return read_real(type, at);
      default:
        return read_word(type, at);
    }
  }

  LlvmInitial initial{};

 private:
  void put(std::uint64_t at, std::uint64_t value, std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes && at + i < initial.bytes.size(); ++i)
      initial.bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }

  bool read_elements(const LlvmType& type, std::uint64_t at) {
    const bool vector = cursor_.accept("<");
    if (!vector && !cursor_.accept("[")) return false;
    for (std::uint64_t i = 0; i < type.elements; ++i) {
      if (i != 0 && !cursor_.accept(",")) return false;
      const std::optional<LlvmType> element = types_.take(cursor_);
      if (!element || !read(*element, at + i * element->bytes)) return false;
    }
    return cursor_.accept(vector ? ">" : "]");
  }

  bool read_members(const LlvmType& type, std::uint64_t at) {
    const bool packed = cursor_.accept("<{");
    if (!packed && !cursor_.accept("{")) return false;
    for (std::size_t i = 0; i < type.members.size(); ++i) {
      if (i != 0 && !cursor_.accept(",")) return false;
      if (!types_.take(cursor_) || !read(type.members[i], at + type.offsets[i])) return false;
    }
    return cursor_.accept(packed ? "}>" : "}");
  }

  /// c"add\00": two digits behind a backslash.
  bool read_characters(std::uint64_t at) {
    (void)cursor_.accept("c\"");
    std::string_view& text = cursor_.text;
    while (!text.empty() && text.front() != '"') {
      const bool coded = text.front() == '\\' && text.size() > 2;
      const std::optional<std::uint64_t> code =
          coded ? hexadecimal(text.substr(1, 2)) : static_cast<unsigned char>(text.front());
      if (!code) return false;
      put(at++, *code, 1);
      text.remove_prefix(coded ? 3 : 1);
    }
    return cursor_.accept("\"");
  }

  /// LLVM writes floats too as bits of a double where decimals would not be exact.
  bool read_real(const LlvmType& type, std::uint64_t at) {
    const std::string word(cursor_.take_word());
    double value = 0;
    if (word.starts_with("0x")) {
      const std::optional<std::uint64_t> bits = hexadecimal(std::string_view(word).substr(2));
      if (!bits) return false;
      value = std::bit_cast<double>(*bits);
    } else {
      char* end = nullptr;
      value = std::strtod(word.c_str(), &end);
      if (word.empty() || *end != '\0') return false;
    }
    if (type.bytes == sizeof(double)) put(at, std::bit_cast<std::uint64_t>(value), type.bytes);
    if (type.bytes == sizeof(float)) put(at, std::bit_cast<std::uint32_t>(static_cast<float>(value)), type.bytes);
    return type.bytes >= sizeof(float);
  }

  bool read_word(const LlvmType& type, std::uint64_t at) {
    std::optional<Sum> sum = take_sum();
    if (!sum) return false;
    if (sum->symbol.empty()) {
      put(at, static_cast<std::uint64_t>(sum->addend), type.bytes);
      return true;
    }
    if (type.bytes != sizeof(std::uint64_t)) return false;
    initial.addresses.push_back({at, std::move(sum->symbol), sum->addend});
    return true;
  }

  std::optional<Sum> take_sum() {
    if (cursor_.accept("zeroinitializer") || cursor_.accept("undef") || cursor_.accept("null")) return Sum{};
    if (cursor_.accept("true")) return Sum{"", 1};
    if (cursor_.accept("false")) return Sum{};
    if (cursor_.accept("@")) {
      const std::string_view name = cursor_.take_word();
      return name.empty() ? std::nullopt : std::optional<Sum>({std::string(name), 0});
    }
    for (const std::string_view cast : {"bitcast", "addrspacecast", "inttoptr", "ptrtoint"}) {
      if (cursor_.accept(cast)) return take_cast();
    }
    if (cursor_.accept("getelementptr")) return take_element();
    const std::string_view word = cursor_.take_word();
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size()) return std::nullopt;
    return Sum{"", value};
  }

  /// (T value to T)
  std::optional<Sum> take_cast() {
    if (!cursor_.accept("(") || !types_.take(cursor_)) return std::nullopt;
    std::optional<Sum> value = take_sum();
    if (!value || !cursor_.accept("to") || !types_.take(cursor_) || !cursor_.accept(")")) return std::nullopt;
    return value;
  }

  /// inbounds (T, T* base, i64 0, i32 2)
  std::optional<Sum> take_element() {
    (void)cursor_.accept("inbounds");
    if (!cursor_.accept("(")) return std::nullopt;
    std::optional<LlvmType> type = types_.take(cursor_);
    if (!type || !cursor_.accept(",") || !types_.take(cursor_)) return std::nullopt;
    std::optional<Sum> base = take_sum();
    for (bool first = true; base && cursor_.accept(","); first = false) {
      (void)cursor_.accept("inrange");
      const bool number = types_.take(cursor_).has_value();
      const std::optional<Sum> index = number ? take_sum() : std::nullopt;
      if (!index || !index->symbol.empty() || !step_into(*type, *base, index->addend, first)) return std::nullopt;
    }
    return cursor_.accept(")") ? base : std::nullopt;
  }

  static bool step_into(LlvmType& type, Sum& base, std::int64_t index, bool first) {
    if (first) {
      base.addend += index * static_cast<std::int64_t>(type.bytes);
      return true;
    }
    const bool member = type.kind == Kind::structure;
    if (!member && type.kind != Kind::array) return false;
    if (member && (index < 0 || static_cast<std::size_t>(index) >= type.members.size())) return false;
    LlvmType inner = type.members[member ? static_cast<std::size_t>(index) : 0];
    base.addend += member ? static_cast<std::int64_t>(type.offsets[static_cast<std::size_t>(index)])
                          : index * static_cast<std::int64_t>(inner.bytes);
    type = std::move(inner);
    return true;
  }

  LlvmCursor& cursor_;
  const LlvmTypes& types_;
};

}  // namespace

std::optional<LlvmInitial> take_initial(LlvmCursor& cursor, const LlvmType& type, const LlvmTypes& types) {
  ConstantReader reader(cursor, types);
  reader.initial.bytes.resize(type.bytes);
  if (!reader.read(type, 0)) return std::nullopt;
  return std::move(reader.initial);
}

}  // namespace teslasim::cuda
