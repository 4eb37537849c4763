// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "frontend/workload/device/element.h"
#include "frontend/workload/resolve/resolve_parameters.h"
#include "isa/names.h"

namespace teslasim {

namespace {

std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string declaration(const Parameter& parameter) {
  return fmt::format(".param {} {}", type_name(parameter.type), parameter.name);
}

/// Integers of the same size may replace each other, as may untyped bits; floats only match floats and untyped bits.
bool fits(const Parameter& declared, const ParameterValue& given) {
  if (bytes_of(declared.type) != bytes_of(given.type)) return false;
  if (given.buffer) return !is_real(declared.type);
  return is_untyped(declared.type) || is_untyped(given.type) || is_real(declared.type) == is_real(given.type);
}

void report_type(const Kernel& kernel, const Parameter& declared, const ParameterValue& given, MistakeList& mistakes) {
  const std::string what = given.buffer ? "a buffer" : std::string(type_name(given.type));
  mistakes.error({"LAUNCH-TYPE",
                  fmt::format("parameter '{}' is {} here and {} in kernel '{}'", given.name, what,
                              type_name(declared.type), kernel.name),
                  given.where,
                  "",
                  {"the kernel declares: " + declaration(declared)}});
}

/// An undeclared name. Returns the declared name that was probably meant, or an empty string.
std::string report_extra(const Kernel& kernel, const ParameterValue& given, const std::vector<std::string>& missing,
                         MistakeList& mistakes) {
  const std::string meant = nearest_word(given.name, missing);
  std::string help = "the kernel has " + listed(names_of(kernel.parameters));
  if (!meant.empty()) help = "did you mean '" + meant + "'?";
  mistakes.error({"LAUNCH-UNKNOWN",
                  fmt::format("kernel '{}' has no parameter '{}'", kernel.name, given.name),
                  given.where,
                  help,
                  {}});
  return meant;
}

std::string size_text(const Parameter& parameter) {
  return fmt::format("{} of {} bytes at s[{:#x}]", parameter.name, parameter.bytes,
                     launch_header_bytes + parameter.offset);
}

/// Comparison by place. Several values may make up one parameter (a struct).
class PlaceMatch {
 public:
  PlaceMatch(const Kernel& kernel, ResolvedParameters& given, const SourceLocation& where, MistakeList& mistakes)
      : kernel_(kernel), given_(given), where_(where), mistakes_(mistakes) {}

  void run() {
    for (const Parameter& parameter : kernel_.parameters) {
      if (!take(parameter)) return;
    }
    if (next_ < given_.values.size()) {
      refuse("LAUNCH-UNKNOWN",
             fmt::format("parameter '{}' is one more than kernel '{}' has", given_.values[next_].name, kernel_.name),
             given_.values[next_].where);
    }
  }

 private:
  void refuse(const char* code, const std::string& message, const SourceLocation& where) {
    std::vector<std::string> sizes;
    for (const Parameter& parameter : kernel_.parameters) sizes.push_back(size_text(parameter));
    mistakes_.error({code,
                     message,
                     where,
                     "parameters are matched by place; 8 bytes are a buffer, u64, s64 or f64",
                     {fmt::format("the kernel has {}", fmt::join(sizes, ", "))}});
  }

  bool take(const Parameter& parameter) {
    if (next_ == given_.values.size()) {
      refuse("LAUNCH-MISSING",
             fmt::format("kernel '{}' needs another parameter: {}", kernel_.name, size_text(parameter)), where_);
      return false;
    }
    ParameterValue& first = given_.values[next_];
    if (!given_.understood[next_]) return false;  // reported by the reader
    const bool wide = bytes_of(ValueType::u64) == parameter.bytes;
    if (first.buffer && wide) first.type = ValueType::u64;
    while (next_ < given_.values.size()) {
      const unsigned bytes = bytes_of(given_.values[next_].type);
      if (bytes == 0) return false;
      const std::uint32_t place = (end_ + bytes - 1) / bytes * bytes;
      const bool begins = &given_.values[next_] == &first;
      if (begins && stands_elsewhere(parameter)) return false;
      if (!begins && place >= parameter.offset + parameter.bytes) break;
      if ((begins && place != parameter.offset) || place + bytes > parameter.offset + parameter.bytes) {
        refuse("LAUNCH-TYPE",
               fmt::format("parameter '{}' ({} bytes) does not fit {}", given_.values[next_].name, bytes,
                           size_text(parameter)),
               given_.values[next_].where);
        return false;
      }
      end_ = place + bytes;
      ++next_;
    }
    if (parameter.type == ValueType::none || end_ == parameter.offset + parameter.bytes) return true;
    refuse("LAUNCH-TYPE",
           fmt::format("parameter '{}' is {} where the kernel has {}", first.name, type_name(first.type),
                       size_text(parameter)),
           first.where);
    return false;
  }

  /// Names count where the file tells them: the value of one parameter does not become that of another.
  bool stands_elsewhere(const Parameter& parameter) {
    const ParameterValue& value = given_.values[next_];
    const std::vector<std::string> declared = names_of(kernel_.parameters);
    if (value.name == parameter.name || !contains(declared, value.name)) return false;
    mistakes_.error(
        {"LAUNCH-ORDER",
         fmt::format("parameter '{}' stands where kernel '{}' has '{}'", value.name, kernel_.name, parameter.name),
         value.where,
         "the order is: " + listed(declared),
         {}});
    return true;
  }

  const Kernel& kernel_;
  ResolvedParameters& given_;
  const SourceLocation& where_;
  MistakeList& mistakes_;
  std::size_t next_ = 0;
  std::uint32_t end_ = 0;
};

}  // namespace

void match_parameters(const Kernel& kernel, ResolvedParameters& given, const SourceLocation& where,
                      MistakeList& mistakes) {
  if (kernel.parameters.empty()) return;
  if (!kernel.parameters_named) return PlaceMatch(kernel, given, where, mistakes).run();
  const std::vector<std::string> declared = names_of(kernel.parameters);
  std::vector<std::string> present, missing;
  for (const ParameterValue& value : given.values) {
    if (value.name.empty()) return;  // reported by the reader: comparing names would only confuse
    present.push_back(value.name);
  }
  for (const std::string& name : declared) {
    if (!contains(present, name)) missing.push_back(name);
  }
  bool same_names = missing.empty();
  for (const ParameterValue& value : given.values) {
    if (contains(declared, value.name)) continue;
    same_names = false;
    std::erase(missing, report_extra(kernel, value, missing, mistakes));
  }
  for (const Parameter& parameter : kernel.parameters) {
    if (!contains(missing, parameter.name)) continue;
    mistakes.error({"LAUNCH-MISSING",
                    fmt::format("parameter '{}' of kernel '{}' is missing", parameter.name, kernel.name),
                    where,
                    "the parameters are, in this order: " + listed(declared),
                    {"the kernel declares: " + declaration(parameter)}});
  }
  if (same_names && present != declared) {
    mistakes.error({"LAUNCH-ORDER",
                    fmt::format("the parameters are not in the order of kernel '{}'", kernel.name),
                    where,
                    "the order is: " + listed(declared),
                    {}});
  }
  for (std::size_t i = 0; i < given.values.size(); ++i) {
    const auto parameter = std::find_if(kernel.parameters.begin(), kernel.parameters.end(),
                                        [&](const Parameter& p) { return p.name == given.values[i].name; });
    if (!given.understood[i] || parameter == kernel.parameters.end()) continue;
    if (!fits(*parameter, given.values[i])) report_type(kernel, *parameter, given.values[i], mistakes);
  }
}

}  // namespace teslasim
