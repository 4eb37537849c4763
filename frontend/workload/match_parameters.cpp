// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "frontend/workload/element.h"
#include "frontend/workload/resolve_parameters.h"
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

}  // namespace

void match_parameters(const Kernel& kernel, const ResolvedParameters& given, const SourceLocation& where,
                      MistakeList& mistakes) {
  if (kernel.parameters.empty()) return;
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
