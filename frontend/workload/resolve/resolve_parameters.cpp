// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/resolve/resolve_parameters.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "frontend/workload/device/element.h"
#include "frontend/workload/references/lattice.h"
#include "frontend/workload/resolve/resolve.h"
#include "frontend/workload/resolve/value_checks.h"
#include "isa/names.h"

namespace teslasim {

namespace {

using Initialiser = BufferSpec::Initialiser;

/// Leaves room for the first and last pages of the 32-bit address space, which no buffer gets.
constexpr std::uint64_t most_bytes = (std::uint64_t{1} << 32) - (std::uint64_t{1} << 24);
constexpr std::int64_t largest_exact = std::int64_t{1} << 53;  ///< integers that a double holds exactly

struct InitialiserRow {
  std::string_view name;
  Initialiser initialiser;
};
constexpr std::array<InitialiserRow, 8> initialisers{{{"zero", Initialiser::zero},
                                                      {"iota", Initialiser::iota},
                                                      {"random", Initialiser::random},
                                                      {"constant", Initialiser::constant},
                                                      {"permutation", Initialiser::permutation},
                                                      {"lattice_blocks", Initialiser::lattice_blocks},
                                                      {"lattice_rows", Initialiser::lattice_rows},
                                                      {"file", Initialiser::file}}};

std::vector<std::string> initialiser_names() {
  std::vector<std::string> names;
  for (const InitialiserRow& row : initialisers) names.emplace_back(row.name);
  return names;
}

/// What later launches call the parameter: the buffer's own name when it has one.
const LocatedText& known_as(const ParameterDraft& draft) {
  return draft.buffer ? *draft.buffer : draft.name;
}

std::string_view name_of(Initialiser wanted) {
  for (const InitialiserRow& row : initialisers) {
    if (row.initialiser == wanted) return row.name;
  }
  return "?";
}

}  // namespace

ResolvedParameters ParameterResolver::resolve(const std::vector<ParameterDraft>& drafts) {
  ResolvedParameters result;
  std::map<std::string, SourceLocation> in_this_list;
  for (const ParameterDraft& draft : drafts) {
    const bool first = in_this_list.emplace(draft.name.value, draft.name.where).second;
    if (!first && !draft.name.value.empty()) {
      mistakes_.error(
          {"LAUNCH-DUPLICATE", "parameter '" + draft.name.value + "' is given twice", draft.name.where, "", {}});
      continue;
    }
    std::optional<ParameterValue> value = entry(draft);
    result.understood.push_back(value.has_value());
    if (!value) value = ParameterValue{draft.name.value, ValueType::none, 0, std::nullopt, draft.name.where};
    known_.insert_or_assign(known_as(draft).value, *value);
    result.values.push_back(*std::move(value));
  }
  return result;
}

std::vector<std::string> ParameterResolver::known_names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : known_) names.push_back(name);
  return names;
}

void ParameterResolver::missing(const ParameterDraft& draft, const std::string& what, const std::string& help) {
  if (!draft.damaged) mistakes_.error({"LAUNCH-MISSING", what, draft.where, help, {}});
}

void ParameterResolver::refuse(const SourceLocation& where, const std::string& key, const std::string& why) {
  mistakes_.error({"LAUNCH-UNKNOWN", "'" + key + "' means nothing here: " + why, where, "remove '" + key + "'", {}});
}

std::optional<ParameterValue> ParameterResolver::entry(const ParameterDraft& draft) {
  if (draft.name.value.empty()) {
    if (draft.name.where.line != 0) {
      mistakes_.error({"LAUNCH-MISSING", "a parameter has an empty name", draft.name.where, "", {}});
    }
    return std::nullopt;
  }
  if (draft.name_only) return earlier(draft);
  if (!draft.type) {
    missing(draft, "parameter '" + draft.name.value + "' has no type",
            "add: type = \"f32\" (" + listed(element_type_names()) + ")");
    return std::nullopt;
  }
  const std::optional<ValueType> type = checked_type(*draft.type, mistakes_);
  if (!type) return std::nullopt;
  if (draft.count || draft.initialiser || draft.file) return buffer(draft, *type);
  if (draft.value) return scalar(draft, *type);
  missing(draft, "parameter '" + draft.name.value + "' has neither a value nor a count",
          "add value = ... for a number, count = ... and init = ... for a buffer");
  return std::nullopt;
}

std::optional<ParameterValue> ParameterResolver::earlier(const ParameterDraft& draft) {
  const LocatedText& wanted = known_as(draft);
  const auto found = known_.find(wanted.value);
  if (found == known_.end()) {
    mistakes_.error({"LAUNCH-MISSING",
                     "no earlier launch has a parameter '" + wanted.value + "'",
                     wanted.where,
                     known_.empty() ? "give its type and value, or its type, count and init"
                                    : did_you_mean(wanted.value, known_names(), "earlier parameters"),
                     {}});
    return std::nullopt;
  }
  if (found->second.type == ValueType::none) return std::nullopt;  // already reported where it was declared
  ParameterValue value = found->second;
  if (draft.buffer && !value.buffer) {
    mistakes_.error({"LAUNCH-TYPE", "'" + wanted.value + "' is a number, not a buffer", wanted.where, "", {}});
    return std::nullopt;
  }
  value.name = draft.name.value;
  value.where = draft.name.where;
  return value;
}

std::optional<ParameterValue> ParameterResolver::scalar(const ParameterDraft& draft, ValueType type) {
  if (draft.seed) refuse(draft.seed->where, "seed", "'" + draft.name.value + "' is a number");
  if (draft.range) refuse(draft.range->where, "range", "'" + draft.name.value + "' is a number");
  if (draft.stride) refuse(draft.stride->where, "stride", "'" + draft.name.value + "' is a number");
  if (draft.pointer_bits) refuse(draft.pointer_bits->where, "pointer_bits", "'" + draft.name.value + "' is a number");
  if (draft.buffer) refuse(draft.buffer->where, "buffer", "'" + draft.name.value + "' is a number");
  const std::optional<std::uint64_t> bits = bits_of_type(*draft.value, "value", type, mistakes_);
  if (!bits) return std::nullopt;
  return ParameterValue{draft.name.value, type, *bits, std::nullopt, draft.name.where};
}

std::optional<ParameterValue> ParameterResolver::buffer(const ParameterDraft& draft, ValueType type) {
  const LocatedText& name = known_as(draft);
  const auto found = known_.find(name.value);
  if (found != known_.end() && found->second.buffer) {
    mistakes_.error({"LAUNCH-DUPLICATE",
                     "buffer '" + name.value + "' already exists",
                     name.where,
                     "give no more than the name to use the buffer of the earlier launch; another buffer for the same "
                     "parameter needs a name of its own: buffer = \"NAME\"",
                     {}});
    return std::nullopt;
  }
  BufferSpec spec;
  spec.name = name.value;
  spec.type = type;
  spec.where = name.where;
  const bool initialised = set_initialiser(draft, spec);
  const bool counted = initialised && set_count(draft, spec);
  const bool valued = initialised && set_values(draft, spec);
  ValueType pointer = ValueType::u32;
  if (draft.pointer_bits) {
    const std::optional<std::int64_t> bits = whole(*draft.pointer_bits, "pointer_bits", {32, 64}, mistakes_);
    if (bits == 64) pointer = ValueType::u64;
    if (bits && *bits != 32 && *bits != 64) {
      mistakes_.error({"LAUNCH-RANGE",
                       fmt::format("'pointer_bits' must be 32 or 64, got {}", *bits),
                       draft.pointer_bits->where,
                       "",
                       {}});
    }
  }
  if (!counted || !valued) return std::nullopt;
  buffers_.push_back(std::move(spec));
  return ParameterValue{draft.name.value, pointer, 0, buffers_.size() - 1, draft.name.where};
}

bool ParameterResolver::set_initialiser(const ParameterDraft& draft, BufferSpec& buffer) {
  if (draft.initialiser) {
    const LocatedText& wanted = *draft.initialiser;
    for (const InitialiserRow& row : initialisers) {
      if (row.name != wanted.value) continue;
      buffer.initialiser = row.initialiser;
      return true;
    }
    mistakes_.error({"LAUNCH-TYPE",
                     "there is no initialiser '" + wanted.value + "'",
                     wanted.where,
                     did_you_mean(wanted.value, initialiser_names(), "the initialisers are"),
                     {}});
    return false;
  }
  buffer.initialiser = draft.file ? Initialiser::file : draft.value ? Initialiser::constant : Initialiser::zero;
  return true;
}

bool ParameterResolver::set_count(const ParameterDraft& draft, BufferSpec& buffer) {
  const auto most = static_cast<std::int64_t>(most_bytes / bytes_of(buffer.type));
  if (draft.count) {
    const std::optional<std::int64_t> count = whole(*draft.count, "count", {1, most}, mistakes_);
    if (!count) return false;
    buffer.count = static_cast<std::uint64_t>(*count);
  } else if (buffer.initialiser != Initialiser::file) {
    missing(draft, "buffer '" + buffer.name + "' has no count", "add: count = NUMBER_OF_ELEMENTS");
    return false;
  }
  if (buffer.initialiser == Initialiser::file) {
    if (!draft.file) {
      missing(draft, "buffer '" + buffer.name + "' has no file", "add: file = \"data.npy\"");
      return false;
    }
    buffer.file = path_in(draft.file_from == NameFrom::option ? "" : folder_, draft.file->value);
    const auto elements = elements_in_file(buffer.file, buffer.type, draft.file->where, mistakes_);
    if (!elements) return false;
    if (draft.count ? *elements != buffer.count : *elements == 0 || *elements > static_cast<std::uint64_t>(most)) {
      mistakes_.error({"LAUNCH-FILE",
                       fmt::format("'{}' has {} elements{}", buffer.file, *elements,
                                   draft.count ? fmt::format(", 'count' says {}", buffer.count) : ""),
                       draft.file->where,
                       "leave 'count' out to take all that the file has",
                       {}});
      return false;
    }
    buffer.count = *elements;
    files_.push_back(buffer.file);
  }
  bytes_so_far_ += buffer.count * bytes_of(buffer.type);
  if (bytes_so_far_ <= most_bytes) return true;
  mistakes_.error({"LAUNCH-RANGE",
                   "the buffers do not fit the 32-bit address space",
                   draft.where,
                   fmt::format("all buffers together may have {} bytes", most_bytes),
                   {}});
  return false;
}

bool ParameterResolver::set_values(const ParameterDraft& draft, BufferSpec& buffer) {
  const std::string why = "the initialiser is " + std::string(name_of(buffer.initialiser));
  if (draft.file && buffer.initialiser != Initialiser::file) refuse(draft.file->where, "file", why);
  const bool seeded = buffer.initialiser == Initialiser::random || buffer.initialiser == Initialiser::permutation;
  if (draft.seed && !seeded) refuse(draft.seed->where, "seed", why);
  if (draft.range && buffer.initialiser != Initialiser::random) refuse(draft.range->where, "range", why);
  if (draft.stride && buffer.initialiser != Initialiser::permutation) refuse(draft.stride->where, "stride", why);
  if (draft.value && buffer.initialiser != Initialiser::constant) refuse(draft.value->where, "value", why);
  if (draft.seed && seeded) {
    const auto seed = whole(*draft.seed, "seed", {0, std::numeric_limits<std::int64_t>::max()}, mistakes_);
    if (!seed) return false;
    buffer.seed = static_cast<std::uint64_t>(*seed);
  }
  if (buffer.initialiser == Initialiser::random) return set_random_range(draft, buffer);
  if (buffer.initialiser == Initialiser::permutation) return set_permutation(draft, buffer);
  if (buffer.initialiser == Initialiser::lattice_blocks || buffer.initialiser == Initialiser::lattice_rows)
    return check_lattice(draft, buffer);
  if (buffer.initialiser != Initialiser::constant) return true;
  if (!draft.value) {
    missing(draft, "buffer '" + buffer.name + "' has no value", "init = \"constant\" needs value = ...");
    return false;
  }
  const std::optional<double> value = number_of_type(*draft.value, "value", buffer.type, mistakes_);
  if (!value) return false;
  buffer.value = *value;
  if (is_real(buffer.type) || std::abs(*value) <= static_cast<double>(largest_exact)) return true;
  mistakes_.error({"LAUNCH-RANGE", "'value' must be between -2^53 and 2^53 for a buffer", draft.value->where, "", {}});
  return false;
}

bool ParameterResolver::set_random_range(const ParameterDraft& draft, BufferSpec& buffer) {
  if (!draft.range) {
    if (is_real(buffer.type)) return true;  // [0, 1), as in BufferSpec
    const IntegerRange all = integer_range(buffer.type);
    buffer.low = is_untyped(buffer.type) ? 0.0 : all.low;
    buffer.high = all.high;
    return true;
  }
  if (draft.range->value.size() != 2) {
    mistakes_.error({"LAUNCH-RANGE",
                     fmt::format("'range' must be two numbers, got {}", draft.range->value.size()),
                     draft.range->where,
                     "range = [low, high]: low <= x < high",
                     {}});
    return false;
  }
  const LocatedNumber& low = draft.range->value[0];
  const LocatedNumber& high = draft.range->value[1];
  for (const LocatedNumber* end : {&low, &high}) {
    const bool fraction = !is_real(buffer.type) && !is_integer(end->value);
    if (fraction) {
      mistakes_.error({"LAUNCH-TYPE",
                       "'range' must be whole numbers for " + std::string(type_name(buffer.type)),
                       end->where,
                       "",
                       {}});
      return false;
    }
  }
  buffer.low = as_double(low.value);
  buffer.high = as_double(high.value);
  const bool ordered = std::isfinite(buffer.low) && std::isfinite(buffer.high) && buffer.low < buffer.high;
  const IntegerRange all = is_real(buffer.type)
                               ? IntegerRange{-std::numeric_limits<float>::max(), std::numeric_limits<float>::max()}
                               : integer_range(buffer.type);
  const double exact = static_cast<double>(largest_exact);
  const bool exact_ends = is_real(buffer.type) || (std::abs(buffer.low) <= exact && std::abs(buffer.high) <= exact);
  if (ordered && exact_ends && buffer.low >= all.low && buffer.high <= all.high) return true;
  mistakes_.error(
      {"LAUNCH-RANGE",
       ordered ? "'range' does not fit " + std::string(type_name(buffer.type)) : std::string("'range' is empty"),
       draft.range->where,
       "range = [low, high]: low <= x < high, integers up to 2^53",
       {}});
  return false;
}

bool ParameterResolver::set_permutation(const ParameterDraft& draft, BufferSpec& buffer) {
  if (is_real(buffer.type) || bytes_of(buffer.type) < 4) {
    mistakes_.error({"LAUNCH-TYPE",
                     "a permutation needs a buffer of type u32, s32, b32, u64, s64 or b64",
                     draft.type->where,
                     "write type = \"u32\"",
                     {}});
    return false;
  }
  if (!draft.stride) return true;
  const auto most = static_cast<std::int64_t>(most_bytes);
  const std::optional<std::int64_t> stride = whole(*draft.stride, "stride", {1, most}, mistakes_);
  if (!stride) return false;
  buffer.stride = static_cast<std::uint64_t>(*stride);
  if (buffer.count == 0 || buffer.stride <= buffer.count) return true;
  mistakes_.error({"LAUNCH-RANGE", "'stride' is larger than the buffer", draft.stride->where, "", {}});
  return false;
}

bool ParameterResolver::check_lattice(const ParameterDraft& draft, const BufferSpec& buffer) {
  if (is_real(buffer.type) || bytes_of(buffer.type) != 4) {
    mistakes_.error({"LAUNCH-TYPE",
                     "the columns of a lattice need a buffer of type u32, s32 or b32",
                     draft.type->where,
                     "write type = \"u32\"",
                     {}});
    return false;
  }
  if (!draft.count || buffer.count == 0) return false;  // reported by set_count
  const bool blocks = buffer.initialiser == Initialiser::lattice_blocks;
  if (blocks ? lattice_blocks(buffer.count).has_value() : lattice_rows(buffer.count).has_value()) return true;
  mistakes_.error({"LAUNCH-RANGE",
                   fmt::format("no lattice has {} columns", buffer.count),
                   draft.count->where,
                   blocks ? "count = 52 * L^4 with L from 3 to 16" : "count = 468 * L^4 with L from 3 to 16",
                   {}});
  return false;
}

}  // namespace teslasim
