// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/read/inline_options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

#include "frontend/workload/device/element.h"
#include "sim/base/number_range.h"
#include "sim/base/utf8.h"

namespace teslasim {

namespace {

constexpr const char* source_name = "command line";

struct Shorthand {
  std::string_view word, initialiser;
};
constexpr std::array<Shorthand, 9> shorthands{{{"zero", "zero"},
                                               {"iota", "iota"},
                                               {"rand", "random"},
                                               {"random", "random"},
                                               {"const", "constant"},
                                               {"constant", "constant"},
                                               {"perm", "permutation"},
                                               {"permutation", "permutation"},
                                               {"file", "file"}}};

bool looks_like_file(std::string_view text) {
  return text.find_first_of("./") != std::string_view::npos;
}

/// A piece of an option's text that knows its column.
struct Piece {
  std::string_view text;
  std::uint32_t column = 1;  ///< in bytes

  [[nodiscard]] Piece part(std::size_t begin, std::size_t length = std::string_view::npos) const {
    return {text.substr(begin, length), column + static_cast<std::uint32_t>(begin)};
  }
};

std::vector<Piece> split(const Piece& whole, std::string_view separators) {
  std::vector<Piece> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = whole.text.find_first_of(separators, begin);
    if (end == std::string_view::npos) break;
    parts.push_back(whole.part(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(whole.part(begin));
  return parts;
}

std::optional<Number> parse_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view digits = negative ? text.substr(1) : text;
  const bool hexadecimal = digits.starts_with("0x");
  if (hexadecimal) digits.remove_prefix(2);
  std::int64_t integer = 0;
  const char* const end = digits.data() + digits.size();
  auto result = std::from_chars(digits.data(), end, integer, hexadecimal ? 16 : 10);
  if (result.ec == std::errc{} && result.ptr == end && integer >= 0) return negative ? -integer : integer;
  double real = 0.0;
  const char* const text_end = text.data() + text.size();
  result = std::from_chars(text.data(), text_end, real);
  if (result.ec == std::errc{} && result.ptr == text_end) return real;
  return std::nullopt;
}

class InlineReader {
 public:
  explicit InlineReader(MistakeList& mistakes) : mistakes_(mistakes) {}

  WorkloadDraft read(const InlineLaunch& options) {
    WorkloadDraft draft;
    LaunchDraft& launch = draft.defaults;
    launch.where = {source_name, 1, 1, 1};
    if (!options.kernel.empty()) {
      const Piece value = next_value();
      launch.kernel = text(value);
    }
    if (!options.grid.empty()) launch.grid = extents(next_value());
    if (!options.block.empty()) launch.block = extents(next_value());
    if (!options.dynamic_shared_bytes.empty()) launch.dynamic_shared_bytes = number(next_value());
    launch.parameters.emplace();
    launch.parameters->where = {source_name, line_ + 1, 1, 1};
    for (std::size_t i = 0; i < options.parameters.size(); ++i) parameter(next_value(), launch.parameters->value);
    for (std::size_t i = 0; i < options.checks.size(); ++i) check(next_value(), draft.expectations);
    if (!options.tolerance.empty()) {
      draft.tolerance = number(next_value());
      for (ExpectationDraft& expectation : draft.expectations) {
        expectation.tolerance_absolute = expectation.tolerance_relative = draft.tolerance;
      }
    }
    launch.damaged = mistakes_.has_errors();
    return draft;
  }

 private:
  /// The value of the next option: the rest of its line after the first blank.
  Piece next_value() {
    ++line_;
    const Piece line{mistakes_.text().line(line_), 1};
    return line.part(std::min(line.text.find(' ') + 1, line.text.size()));
  }

  [[nodiscard]] SourceLocation place(const Piece& piece) const {
    const std::string& line = mistakes_.text().line(line_);
    const std::uint32_t column = column_of_offset(line, piece.column - 1);
    const std::uint32_t behind = column_of_offset(line, piece.column - 1 + piece.text.size());
    return {source_name, line_, column, std::max(1U, behind - column)};
  }
  [[nodiscard]] LocatedText text(const Piece& piece) const { return {std::string(piece.text), place(piece)}; }

  void malformed(const Piece& piece, const std::string& what, const std::string& help) {
    mistakes_.error({"LAUNCH-INLINE", what, place(piece), help, {}});
  }

  std::optional<LocatedNumber> number(const Piece& piece) {
    if (const std::optional<std::string> sentence = number_out_of_range(piece.text)) {
      mistakes_.error({"LAUNCH-RANGE", *sentence, place(piece), "", {}});
      return std::nullopt;
    }
    if (const std::optional<Number> value = parse_number(piece.text)) return LocatedNumber{*value, place(piece)};
    malformed(piece, "'" + std::string(piece.text) + "' is not a number", "");
    return std::nullopt;
  }

  LocatedNumbers extents(const Piece& piece) {
    LocatedNumbers all{{}, place(piece)};
    constexpr std::size_t most = 3;
    const std::vector<Piece> parts = split(piece, ",x");
    if (parts.size() > most) {
      malformed(piece, std::to_string(parts.size()) + " numbers, where at most 3 are possible", "for example: 16x16");
      return all;
    }
    for (const Piece& part : parts) {
      if (const std::optional<LocatedNumber> value = number(part)) all.value.push_back(*value);
    }
    return all;
  }

  void parameter(const Piece& option, std::vector<ParameterDraft>& all) {
    const std::size_t equals = option.text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      malformed(option, "a parameter is written NAME=VALUE or NAME=TYPE[COUNT]:INIT", "for example: --param n=1024");
      return;
    }
    const std::size_t errors_before = mistakes_.errors();
    ParameterDraft draft;
    draft.name = text(option.part(0, equals));
    draft.where = place(option);
    const Piece value = option.part(equals + 1);
    if (value.text.find('[') != std::string_view::npos) {
      buffer(value, draft);
    } else {
      scalar(value, draft);
    }
    draft.damaged = mistakes_.errors() != errors_before;
    all.push_back(std::move(draft));
  }

  /// TYPE:NUMBER, or a number alone: u32, s32 when negative, f32 with a fraction.
  void scalar(const Piece& value, ParameterDraft& draft) {
    const std::size_t colon = value.text.find(':');
    if (colon != std::string_view::npos) {
      draft.type = text(value.part(0, colon));
      draft.value = number(value.part(colon + 1));
      return;
    }
    draft.value = number(value);
    if (!draft.value) return;
    const bool negative = as_double(draft.value->value) < 0.0;
    draft.type = LocatedText{!is_integer(draft.value->value) ? "f32" : negative ? "s32" : "u32", place(value)};
  }

  /// TYPE[COUNT]:INIT:...
  void buffer(const Piece& value, ParameterDraft& draft) {
    const std::size_t open = value.text.find('['), close = value.text.find(']');
    if (close == std::string_view::npos || close < open) {
      malformed(value.part(open), "the bracket is not closed", "write TYPE[COUNT], for example f32[1024]");
      return;
    }
    draft.type = text(value.part(0, open));
    if (close > open + 1) draft.count = number(value.part(open + 1, close - open - 1));
    const Piece rest = value.part(close + 1);
    if (rest.text.empty()) {
      draft.initialiser = LocatedText{"zero", place(value)};
      return;
    }
    if (!rest.text.starts_with(':')) {
      malformed(rest, "a ':' and an initialiser are expected after TYPE[COUNT]", "for example: f32[1024]:zero");
      return;
    }
    initialiser(rest.part(1), draft);
  }

  void initialiser(const Piece& piece, ParameterDraft& draft) {
    const std::vector<Piece> parts = split(piece, ":");
    const std::string_view word = parts[0].text;
    const auto* row =
        std::find_if(shorthands.begin(), shorthands.end(), [&](const Shorthand& s) { return s.word == word; });
    if (row == shorthands.end()) {
      if (looks_like_file(piece.text)) {
        draft.file = text(piece);
        return;
      }
      std::vector<std::string> words;
      for (const Shorthand& shorthand : shorthands) words.emplace_back(shorthand.word);
      malformed(parts[0], "there is no initialiser '" + std::string(word) + "'",
                did_you_mean(std::string(word), words, "the initialisers are"));
      return;
    }
    draft.initialiser = LocatedText{std::string(row->initialiser), place(parts[0])};
    arguments(row->initialiser, parts, draft);
  }

  /// rand:SEED[:LOW:HIGH], const:VALUE, perm:SEED[:STRIDE], file:NAME
  void arguments(std::string_view initialiser, const std::vector<Piece>& parts, ParameterDraft& draft) {
    std::size_t used = 1;
    if (initialiser == "file" && parts.size() > 1) draft.file = text(parts[used++]);
    if (initialiser == "constant" && parts.size() > 1) draft.value = number(parts[used++]);
    if ((initialiser == "random" || initialiser == "permutation") && parts.size() > 1)
      draft.seed = number(parts[used++]);
    if (initialiser == "permutation" && parts.size() > 2) draft.stride = number(parts[used++]);
    if (initialiser == "random" && parts.size() > 3) {
      const std::optional<LocatedNumber> low = number(parts[2]), high = number(parts[3]);
      if (low && high) draft.range = LocatedNumbers{{*low, *high}, place(parts[2])};
      used = 4;
    }
    if (used >= parts.size()) return;
    malformed(parts[used], "'" + std::string(parts[0].text) + "' does not take '" + std::string(parts[used].text) + "'",
              "zero, iota, rand:SEED:LOW:HIGH, const:VALUE, perm:SEED:STRIDE, FILE.npy");
  }

  /// NAME=FILE or NAME=BUILTIN[:ARGUMENT=NAME]...
  void check(const Piece& option, std::vector<ExpectationDraft>& all) {
    const std::size_t equals = option.text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == option.text.size()) {
      malformed(option, "a check is written NAME=FILE.npy or NAME=BUILTIN", "for example: --check C=matmul:a=A:b=B");
      return;
    }
    const std::size_t errors_before = mistakes_.errors();
    ExpectationDraft draft;
    draft.buffer = text(option.part(0, equals));
    draft.where = place(option);
    const Piece against = option.part(equals + 1);
    const std::vector<Piece> parts = split(against, ":");
    if (looks_like_file(parts[0].text)) {
      draft.file = text(against);
      all.push_back(std::move(draft));
      return;
    }
    draft.builtin = text(parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::size_t sign = parts[i].text.find('=');
      if (sign == std::string_view::npos) {
        malformed(parts[i], "an argument of a built-in reference is written ARGUMENT=NAME", "");
        continue;
      }
      draft.arguments.emplace_back(text(parts[i].part(0, sign)), text(parts[i].part(sign + 1)));
    }
    draft.damaged = mistakes_.errors() != errors_before;
    all.push_back(std::move(draft));
  }

  MistakeList& mistakes_;
  std::uint32_t line_ = 0;
};

}  // namespace

SourceText inline_text(const InlineLaunch& options) {
  SourceText source{source_name, {}};
  const auto add = [&](const std::string& option, const std::string& value) {
    if (!value.empty()) source.lines.push_back("--" + option + " " + value);
  };
  add("kernel", options.kernel);
  add("grid", options.grid);
  add("block", options.block);
  add("dynamic-shared", options.dynamic_shared_bytes);
  // An empty --param must keep its line: it is a mistake to report.
  for (const std::string& parameter : options.parameters) source.lines.push_back("--param " + parameter);
  for (const std::string& check : options.checks) source.lines.push_back("--check " + check);
  add("tol", options.tolerance);
  return source;
}

WorkloadDraft read_inline_options(const InlineLaunch& options, MistakeList& mistakes) {
  return InlineReader(mistakes).read(options);
}

}  // namespace teslasim
