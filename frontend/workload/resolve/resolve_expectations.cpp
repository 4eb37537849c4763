// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/resolve/resolve_expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontend/workload/device/element.h"
#include "frontend/workload/references/references.h"
#include "frontend/workload/resolve/resolve.h"
#include "frontend/workload/resolve/value_checks.h"

namespace teslasim {

namespace {

using Kind = ReferenceArguments::Kind;

std::vector<std::string> buffer_names(const Workload& workload) {
  std::vector<std::string> names;
  for (const BufferSpec& buffer : workload.buffers) names.push_back(buffer.name);
  return names;
}

std::vector<std::string> scalar_names(const Workload& workload) {
  std::vector<std::string> names;
  for (const LaunchSpec& launch : workload.launches) {
    for (const ParameterValue& value : launch.parameters) {
      if (!value.buffer) names.push_back(value.name);
    }
  }
  return names;
}

/// A parameter that was refused when it was declared: that it is missing here need not be told.
bool refused(const Workload& workload, const std::string& name) {
  for (const LaunchSpec& launch : workload.launches) {
    for (const ParameterValue& value : launch.parameters) {
      if (value.name == name && value.type == ValueType::none) return true;
    }
  }
  return false;
}

std::optional<double> tolerance(const std::optional<LocatedNumber>& draft, std::string_view key,
                                MistakeList& mistakes) {
  if (!draft) return 0.0;
  const double value = as_double(draft->value);
  if (std::isfinite(value) && value >= 0.0) return value;
  mistakes.error(
      {"LAUNCH-RANGE", fmt::format("'{}' must be a number not below 0, got {}", key, value), draft->where, "", {}});
  return std::nullopt;
}

class ExpectationResolver {
 public:
  ExpectationResolver(const ExpectationDraft& draft, const std::string& folder, const Workload& workload,
                      MistakeList& mistakes)
      : draft_(draft), folder_(folder), workload_(workload), mistakes_(mistakes) {}

  std::optional<Expectation> resolve() {
    const std::size_t errors_before = mistakes_.errors();
    const BufferSpec* buffer = checked_buffer();
    Expectation expectation;
    expectation.buffer = draft_.buffer.value;
    expectation.where = draft_.buffer.where;
    expectation.tolerance_absolute = tolerance(draft_.tolerance_absolute, "tol_abs", mistakes_).value_or(0.0);
    expectation.tolerance_relative = tolerance(draft_.tolerance_relative, "tol_rel", mistakes_).value_or(0.0);
    for (const auto& [name, value] : draft_.arguments) expectation.arguments.emplace_back(name.value, value.value);
    if (draft_.builtin && draft_.file) {
      mistakes_.error(
          {"LAUNCH-DUPLICATE", "a check compares with 'builtin' or with 'file', not both", draft_.file->where, "", {}});
    } else if (draft_.builtin) {
      expectation.builtin = draft_.builtin->value;
      check_reference(expectation, buffer);
    } else if (draft_.file) {
      expectation.file = path_in(draft_.file_from == NameFrom::option ? "" : folder_, draft_.file->value);
      if (buffer != nullptr) check_file(expectation, *buffer);
    } else if (!draft_.damaged) {
      mistakes_.error({"LAUNCH-MISSING",
                       "the check of '" + draft_.buffer.value + "' does not say what to expect",
                       draft_.where,
                       "add builtin = \"NAME\" or file = \"expected.npy\"; built-in: " + listed(reference_names()),
                       {}});
    }
    if (draft_.damaged || mistakes_.errors() != errors_before) return std::nullopt;
    return expectation;
  }

 private:
  const BufferSpec* checked_buffer() {
    for (const BufferSpec& buffer : workload_.buffers) {
      if (buffer.name == draft_.buffer.value) return &buffer;
    }
    if (refused(workload_, draft_.buffer.value)) return nullptr;
    mistakes_.error({"LAUNCH-UNKNOWN",
                     "there is no buffer '" + draft_.buffer.value + "' to check",
                     draft_.buffer.where,
                     did_you_mean(draft_.buffer.value, buffer_names(workload_), "the buffers are"),
                     {}});
    return nullptr;
  }

  void check_file(const Expectation& expectation, const BufferSpec& buffer) {
    for (const auto& [name, value] : draft_.arguments) {
      mistakes_.error({"LAUNCH-UNKNOWN",
                       "unknown key of a check against a file: '" + name.value + "'",
                       name.where,
                       did_you_mean(name.value, {"file", "tol_abs", "tol_rel"}, "the keys are"),
                       {}});
    }
    const auto elements = elements_in_file(expectation.file, buffer.type, draft_.file->where, mistakes_);
    if (!elements || *elements == buffer.count) return;
    mistakes_.error({"LAUNCH-FILE",
                     fmt::format("'{}' has {} elements, buffer '{}' has {}", expectation.file, *elements, buffer.name,
                                 buffer.count),
                     draft_.file->where,
                     "",
                     {}});
  }

  void check_reference(const Expectation& expectation, const BufferSpec* buffer) {
    const Reference* reference = find_reference(expectation.builtin);
    if (reference == nullptr) {
      mistakes_.error({"LAUNCH-BUILTIN",
                       "there is no built-in reference '" + expectation.builtin + "'",
                       draft_.builtin->where,
                       did_you_mean(expectation.builtin, reference_names(), "built-in references"),
                       {"built-in references: " + listed(reference_names())}});
      return;
    }
    check_argument_names(*reference);
    if (buffer == nullptr) return;
    const ReferenceArguments arguments(expectation, workload_);
    bool complete = !draft_.damaged;
    for (const ReferenceArgument& argument : reference->arguments) {
      complete = check_argument(*reference, argument, arguments) && complete;
    }
    if (!complete) return;
    const std::string problem = reference->problem(arguments);
    if (problem.empty()) return;
    mistakes_.error({"LAUNCH-BUILTIN",
                     fmt::format("'{}' does not fit: {}", reference->name, problem),
                     draft_.builtin->where,
                     "",
                     {fmt::format("{}: {}", reference->name, reference->description)}});
  }

  void check_argument_names(const Reference& reference) {
    std::vector<std::string> known = {"builtin", "file", "tol_abs", "tol_rel"};
    for (const ReferenceArgument& argument : reference.arguments) known.emplace_back(argument.name);
    for (const auto& [name, value] : draft_.arguments) {
      if (std::find(known.begin(), known.end(), name.value) != known.end()) continue;
      mistakes_.error({"LAUNCH-UNKNOWN",
                       fmt::format("'{}' has no argument '{}'", reference.name, name.value),
                       name.where,
                       did_you_mean(name.value, known, "the keys are"),
                       {}});
    }
  }

  /// True when the argument is there and of the right kind.
  bool check_argument(const Reference& reference, const ReferenceArgument& argument,
                      const ReferenceArguments& arguments) {
    const Kind kind = arguments.kind(argument.name);
    if (refused(workload_, arguments.source_name(argument.name))) return false;
    if (kind == argument.kind) return true;
    const auto given = std::find_if(draft_.arguments.begin(), draft_.arguments.end(),
                                    [&](const auto& pair) { return pair.first.value == argument.name; });
    const bool wants_buffer = argument.kind == Kind::buffer;
    const std::vector<std::string> names = wants_buffer ? buffer_names(workload_) : scalar_names(workload_);
    if (given == draft_.arguments.end()) {
      if (draft_.damaged) return false;
      mistakes_.error(
          {"LAUNCH-MISSING",
           fmt::format("'{}' needs '{}', {}", reference.name, argument.name, wants_buffer ? "a buffer" : "a number"),
           draft_.builtin->where,
           fmt::format("add: {} = \"NAME\" ({})", argument.name, listed(names)),
           {fmt::format("{}: {}", reference.name, reference.description)}});
      return false;
    }
    const LocatedText& value = given->second;
    if (kind == Kind::absent) {
      mistakes_.error({"LAUNCH-UNKNOWN",
                       "there is no parameter '" + value.value + "'",
                       value.where,
                       did_you_mean(value.value, names, wants_buffer ? "the buffers are" : "the numbers are"),
                       {}});
      return false;
    }
    mistakes_.error(
        {"LAUNCH-TYPE",
         fmt::format("'{}' of '{}' must be {}", argument.name, reference.name, wants_buffer ? "a buffer" : "a number"),
         value.where,
         did_you_mean(value.value, names, wants_buffer ? "the buffers are" : "the numbers are"),
         {}});
    return false;
  }

  const ExpectationDraft& draft_;
  const std::string& folder_;
  const Workload& workload_;
  MistakeList& mistakes_;
};

}  // namespace

std::optional<Expectation> resolve_expectation(const ExpectationDraft& draft, const std::string& folder,
                                               const Workload& workload, MistakeList& mistakes) {
  return ExpectationResolver(draft, folder, workload, mistakes).resolve();
}

}  // namespace teslasim
