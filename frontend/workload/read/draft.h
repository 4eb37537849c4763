// SPDX-License-Identifier: Apache-2.0
// A launch as its author wrote it, every value with its place: what the readers of launch files and of launch options
// produce, and the resolver turns into a Workload. Nothing has been compared with the kernel yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {

template <class Value>
struct Located {
  Value value{};
  SourceLocation where;
};

/// A number as written: integers keep all their 64 bits.
using Number = std::variant<std::int64_t, double>;
[[nodiscard]] inline double as_double(const Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}
[[nodiscard]] inline bool is_integer(const Number& number) {
  return std::holds_alternative<std::int64_t>(number);
}

using LocatedText = Located<std::string>;
using LocatedNumber = Located<Number>;
using LocatedNumbers = Located<std::vector<LocatedNumber>>;

/// What the name of a file is relative to: a launch file is moved together with what it names, an option is typed where
/// the user is.
enum class NameFrom : std::uint8_t { launch_file, option };

struct ParameterDraft {
  LocatedText name;
  std::optional<LocatedText> buffer, type, initialiser, file;
  std::optional<LocatedNumber> count, value, seed, stride, pointer_bits;
  std::optional<LocatedNumbers> range;
  SourceLocation where;

  NameFrom file_from = NameFrom::launch_file;
  bool name_only = false;  ///< stands for a parameter of an earlier launch
  bool damaged = false;    ///< a key was misspelt or had a wrong kind: what seems to be missing was reported already
};

struct ConstantDraft {
  std::optional<LocatedNumber> bank, offset;
  std::optional<LocatedText> type, file;
  std::optional<LocatedNumbers> values;
  SourceLocation where;
  bool damaged = false;  ///< as in ParameterDraft
};

struct TextureDraft {
  LocatedText name;
  std::optional<LocatedText> buffer, type, read, filter, layout;
  std::optional<Located<std::vector<LocatedText>>> address;
  std::optional<LocatedNumber> slot, components, pitch_bytes;
  std::optional<LocatedNumbers> size;
  std::optional<Located<bool>> normalised;
  ParameterDraft contents;  ///< initialiser, file, value, seed, range
  SourceLocation where;
  bool damaged = false;  ///< as in ParameterDraft
};

struct ExpectationDraft {
  LocatedText buffer;
  std::optional<LocatedText> builtin, file;
  std::optional<LocatedNumber> tolerance_absolute, tolerance_relative;
  std::vector<std::pair<LocatedText, LocatedText>> arguments;
  SourceLocation where;
  NameFrom file_from = NameFrom::launch_file;
  bool damaged = false;  ///< as in ParameterDraft
};

struct LaunchDraft {
  std::optional<LocatedText> kernel;
  std::optional<LocatedNumbers> grid, block;
  std::optional<LocatedNumber> dynamic_shared_bytes;
  std::optional<Located<std::vector<ParameterDraft>>> parameters;
  std::vector<ConstantDraft> constants;
  std::vector<TextureDraft> textures;
  SourceLocation where;
  bool damaged = false;   ///< as in ParameterDraft
  bool left_out = false;  ///< --kernel wants others; its buffers are there
};

struct WorkloadDraft {
  std::optional<LocatedText> code;
  std::optional<LocatedText> compile;  ///< options for CUDA C and PTX
  LaunchDraft defaults;                ///< the top level of a launch file
  std::vector<LaunchDraft> launches;   ///< empty: the defaults are the only launch
  std::vector<ExpectationDraft> expectations;
  std::optional<LocatedNumber> tolerance;  ///< --tol: of all expectations
};

}  // namespace teslasim
