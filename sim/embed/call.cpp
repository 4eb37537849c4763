// SPDX-License-Identifier: Apache-2.0
#include "sim/embed/call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "frontend/workload/device/element.h"
#include "frontend/workload/read/draft.h"
#include "frontend/workload/read/source_text.h"
#include "frontend/workload/resolve/resolve.h"
#include "isa/names.h"
#include "sim/embed/kernel_state.h"

namespace teslasim::embed {
namespace {

constexpr std::array<std::string_view, 10> type_words{"u8",  "s8",  "u16", "s16", "u32",
                                                      "s32", "u64", "s64", "f32", "f64"};

std::string word_of(Type type) {
  return std::string(type_words.at(static_cast<std::size_t>(type)));
}

/// Values of more than 63 bits are no numbers of a draft: they are put in afterwards.
bool is_wide(const Argument& argument) {
  const auto* number = std::get_if<std::uint64_t>(&argument.number());
  return number != nullptr && *number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

Number number_of(const Argument& argument) {
  if (const auto* real = std::get_if<double>(&argument.number())) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&argument.number())) return *whole;
  return is_wide(argument) ? std::numeric_limits<std::int64_t>::max()
                           : static_cast<std::int64_t>(std::get<std::uint64_t>(argument.number()));
}

/// What a number becomes where nothing is declared, or bits of a size.
std::string type_by_value(const Argument& argument, unsigned bytes) {
  if (std::holds_alternative<double>(argument.number())) return bytes == bytes_of(Type::f64) ? "f64" : "f32";
  const auto* whole = std::get_if<std::int64_t>(&argument.number());
  return fmt::format("{}{}", whole != nullptr && *whole < 0 ? "s" : "u", 8 * bytes);
}

std::string type_of_number(const Argument& argument, const Parameter* declared) {
  if (argument.typed()) return word_of(argument.type());
  if (declared == nullptr || declared->type == ValueType::none) return type_by_value(argument, bytes_of(Type::u32));
  if (is_untyped(declared->type)) return type_by_value(argument, bytes_of(declared->type));
  // Negative values of parameters that are declared as u32 are as common as in C.
  const auto* whole = std::get_if<std::int64_t>(&argument.number());
  if (whole != nullptr && *whole < 0 && !is_real(declared->type))
    return type_by_value(argument, bytes_of(declared->type));
  return std::string(type_name(declared->type));
}

class CallReader {
 public:
  explicit CallReader(const Call& call) : call_(call), kernel_(kernel_of(*call.module, call.kernel)) {
    source_.name = "call of " + kernel_.name;
  }

  CalledWorkload read() {
    LaunchDraft& launch = draft_.defaults;
    launch.where = {source_.name, 1, 1, 1};
    launch.kernel = LocatedText{kernel_.name, launch.where};
    launch.grid = extent("grid", call_.grid, 2);
    launch.block = extent("block", call_.block, 3);
    launch.parameters.emplace();
    launch.parameters->where = {source_.name, 2, 1, 1};
    if (call_.options.shared_bytes != 0) {
      launch.dynamic_shared_bytes = LocatedNumber{std::int64_t{call_.options.shared_bytes},
                                                  line(fmt::format("shared = {}", call_.options.shared_bytes))};
    }
    for (std::size_t i = 0; i < call_.arguments.size(); ++i) launch.parameters->value.push_back(parameter(i));
    refuse_overlaps();
    MistakeList mistakes(source_);
    ResolveContext context;
    context.module = call_.module;
    CalledWorkload called{resolve(draft_, context, mistakes), {}};
    mistakes.throw_errors(ExitCode::usage);
    finish(called);
    return called;
  }

 private:
  SourceLocation line(std::string text) {
    const auto width = static_cast<std::uint32_t>(text.size());
    source_.lines.push_back(std::move(text));
    return {source_.name, static_cast<std::uint32_t>(source_.lines.size()), 1, width};
  }

  LocatedNumbers extent(const char* name, const Extent& extent, std::size_t dimensions) {
    std::vector<std::uint32_t> sizes{extent.x, extent.y, extent.z};
    while (sizes.size() > 1 && (sizes.size() > dimensions || sizes.back() == 1) && sizes.back() == 1) sizes.pop_back();
    LocatedNumbers numbers{{}, line(fmt::format("{} = {}", name, fmt::join(sizes, ", ")))};
    for (const std::uint32_t size : sizes) numbers.value.push_back({std::int64_t{size}, numbers.where});
    return numbers;
  }

  [[nodiscard]] const Parameter* declared(std::size_t place) const {
    return call_.arguments.size() == kernel_.parameters.size() ? &kernel_.parameters[place] : nullptr;
  }
  [[nodiscard]] std::string name_of(std::size_t place) const {
    if (place < kernel_.parameters.size()) return kernel_.parameters[place].name;
    return kernel_.parameters.empty() ? fmt::format("p{}", place) : fmt::format("argument {}", place + 1);
  }

  [[nodiscard]] bool are_one(std::size_t left, std::size_t right) const {
    const std::span<const std::byte> one = call_.arguments[left].bytes(), other = call_.arguments[right].bytes();
    return one.data() == other.data() && one.size() == other.size() && !one.empty();
  }
  /// The first place before this one of the same array.
  [[nodiscard]] std::optional<std::size_t> same_array(std::size_t place) const {
    for (std::size_t i = 0; i < place; ++i) {
      if (are_one(i, place)) return i;
    }
    return std::nullopt;
  }

  /// Buffers of the device do not overlap: results of one would be lost in the host's array.
  void refuse_overlaps() const {
    const auto bytes = [this](std::size_t place) { return call_.arguments[place].bytes(); };
    for (std::size_t i = 0; i < call_.arguments.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (call_.arguments[i].out() == nullptr && call_.arguments[j].out() == nullptr) continue;
        const bool apart = bytes(i).data() + bytes(i).size() <= bytes(j).data() ||
                           bytes(j).data() + bytes(j).size() <= bytes(i).data();
        if (apart || are_one(i, j)) continue;
        refuse("LAUNCH-DUPLICATE", fmt::format("the arrays for '{}' and '{}' overlap", name_of(j), name_of(i)),
               "give a copy of one of them: buffers of the device do not overlap");
      }
    }
  }

  ParameterDraft parameter(std::size_t place) {
    const Argument& argument = call_.arguments[place];
    ParameterDraft draft;
    const std::string name = name_of(place);
    if (argument.is_array()) {
      draft.where = line(fmt::format("{} = {}[{}]", name, word_of(argument.type()), argument.count()));
      draft.type = LocatedText{word_of(argument.type()), draft.where};
      draft.count = LocatedNumber{static_cast<std::int64_t>(argument.count()), draft.where};
      draft.initialiser = LocatedText{"zero", draft.where};
      if (const auto first = same_array(place)) {
        draft.name_only = true;
        draft.buffer = LocatedText{name_of(*first), draft.where};
      }
    } else {
      const std::string value = std::visit([](auto number) { return fmt::format("{}", number); }, argument.number());
      draft.where = line(fmt::format("{} = {}", name, value));
      draft.type = LocatedText{type_of_number(argument, declared(place)), draft.where};
      draft.value = LocatedNumber{number_of(argument), draft.where};
    }
    draft.name = LocatedText{name, draft.where};
    return draft;
  }

  void finish(CalledWorkload& called) {
    Workload& workload = called.workload;
    LaunchSpec& launch = workload.launches.front();
    workload.name = kernel_.name;
    workload.warnings.insert(workload.warnings.end(), call_.module->warnings.begin(), call_.module->warnings.end());
    for (std::size_t i = 0; i < call_.arguments.size(); ++i) {
      const Argument& argument = call_.arguments[i];
      ParameterValue& value = launch.parameters.at(i);
      called.buffers.push_back(value.buffer);
      if (is_wide(argument)) value.bits = std::get<std::uint64_t>(argument.number());
      if (!value.buffer || same_array(i)) continue;
      BufferSpec& buffer = workload.buffers[*value.buffer];
      const auto* const begin = reinterpret_cast<const std::uint8_t*>(argument.bytes().data());
      buffer.initialiser = BufferSpec::Initialiser::contents;
      buffer.contents.assign(begin, begin + argument.bytes().size());
    }
    for (const Constant& constant : call_.options.constants) launch.constants.push_back(segment_of(constant));
  }

  /// Of the module's variables in constant memory, one has the name.
  [[nodiscard]] ConstantSegment segment_of(const Constant& constant) const {
    ConstantSegment segment;
    segment.bank = 0;
    segment.offset = constant.offset;
    segment.bytes = constant.bytes;
    if (constant.name.empty()) return segment;
    std::vector<std::string> names;
    for (const ConstantSegment& one : call_.module->constants) {
      if (one.name == constant.name && one.bytes.size() >= constant.bytes.size()) {
        segment.bank = one.bank;
        segment.offset = one.offset;
        return segment;
      }
      if (!one.name.empty()) names.push_back(one.name);
      if (one.name == constant.name)
        refuse("LAUNCH-RANGE",
               fmt::format("'{}' in constant memory has {} bytes, {} were given", one.name, one.bytes.size(),
                           constant.bytes.size()),
               "");
    }
    refuse("LAUNCH-UNKNOWN", "there is no variable '" + constant.name + "' in constant memory",
           names.empty() ? "the code names none: give an offset into c0" : "they are: " + listed(names));
  }

  [[noreturn]] void refuse(const char* code, std::string message, std::string help) const {
    Diagnostic problem;
    problem.code = code;
    problem.message = std::move(message);
    problem.where.file = source_.name;
    problem.help = std::move(help);
    throw InputError(ExitCode::usage, std::move(problem));
  }

  const Call& call_;
  const teslasim::Kernel& kernel_;
  SourceText source_;
  WorkloadDraft draft_;
};

}  // namespace

CalledWorkload workload_of(const Call& call) {
  return CallReader(call).read();
}

}  // namespace teslasim::embed
