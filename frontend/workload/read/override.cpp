// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/read/override.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/clang/kernel_names.h"

namespace teslasim {

namespace {

bool is_buffer(const ParameterDraft& draft) {
  return draft.count || draft.initialiser || draft.file;
}

/// A number alone has the type that the launch file says.
bool type_is_inferred(const ParameterDraft& given) {
  return given.type && given.value && given.type->where.column == given.value->where.column;
}

class Override {
 public:
  Override(WorkloadDraft file, const WorkloadDraft& given, MistakeList& mistakes)
      : file_(std::move(file)), given_(given), mistakes_(mistakes) {}

  WorkloadDraft run() {
    check_names();
    for (const ParameterDraft& parameter : parameters()) {
      if (is_buffer(parameter)) replace_buffer(parameter);
    }
    for (const ExpectationDraft& expectation : given_.expectations) replace_expectation(expectation);
    set_tolerances();
    if (changes_launches()) {
      if (selection_is_clear()) change_launches();
    } else if (given_.defaults.kernel && selection_is_clear()) {
      for (LaunchDraft& launch : file_.launches) launch.left_out = !is_selected(launch);
    }
    return std::move(file_);
  }

 private:
  [[nodiscard]] const std::vector<ParameterDraft>& parameters() const {
    static const std::vector<ParameterDraft> none;
    return given_.defaults.parameters ? given_.defaults.parameters->value : none;
  }

  void check_names() {
    std::set<std::string> names;
    for (const ParameterDraft& parameter : parameters()) {
      if (!names.insert(parameter.name.value).second)
        refuse(parameter.name, "parameter '" + parameter.name.value + "' is given twice", "");
    }
  }

  /// The lists of parameters of the file: of its top level and of its launches.
  std::vector<std::vector<ParameterDraft>*> lists() {
    std::vector<std::vector<ParameterDraft>*> all;
    if (file_.defaults.parameters) all.push_back(&file_.defaults.parameters->value);
    for (LaunchDraft& launch : file_.launches) {
      if (launch.parameters) all.push_back(&launch.parameters->value);
    }
    return all;
  }

  /// Where the file declares the parameter, not where a launch refers to it.
  ParameterDraft* declaration(const std::string& name) {
    for (std::vector<ParameterDraft>* list : lists()) {
      for (ParameterDraft& draft : *list) {
        if (draft.name.value == name && !draft.name_only) return &draft;
      }
    }
    return nullptr;
  }

  void refuse(const LocatedText& name, const std::string& why, const std::string& help) {
    mistakes_.error({"LAUNCH-OVERRIDE", why, name.where, help, {}});
  }

  ParameterDraft* checked_declaration(const ParameterDraft& given) {
    ParameterDraft* found = declaration(given.name.value);
    if (found == nullptr) {
      std::vector<std::string> names;
      for (const std::vector<ParameterDraft>* list : lists()) {
        for (const ParameterDraft& draft : *list) {
          if (!draft.name_only) names.push_back(draft.name.value);
        }
      }
      refuse(given.name, "the launch file declares no parameter '" + given.name.value + "' that --param could change",
             did_you_mean(given.name.value, names, "its parameters are"));
      return nullptr;
    }
    if (is_buffer(*found) == is_buffer(given)) return found;
    const std::string example = given.name.value + (is_buffer(*found) ? "=f32[1024]:rand:1" : "=1024");
    refuse(given.name,
           "'" + given.name.value + "' is a " + (is_buffer(*found) ? "buffer" : "number") + " in the launch file",
           "for example: --param " + example);
    return nullptr;
  }

  void replace_buffer(const ParameterDraft& given) {
    ParameterDraft* found = checked_declaration(given);
    if (found == nullptr) return;
    ParameterDraft replacement = given;
    replacement.buffer = found->buffer;
    replacement.pointer_bits = found->pointer_bits;
    replacement.file_from = NameFrom::option;
    *found = std::move(replacement);
  }

  void replace_expectation(ExpectationDraft given) {
    given.file_from = NameFrom::option;
    const auto same = [&given](const ExpectationDraft& draft) { return draft.buffer.value == given.buffer.value; };
    const auto found = std::find_if(file_.expectations.begin(), file_.expectations.end(), same);
    if (found == file_.expectations.end()) {
      file_.expectations.push_back(std::move(given));
    } else {
      *found = std::move(given);
    }
  }

  void set_tolerances() {
    if (!given_.tolerance) return;
    if (file_.expectations.empty())
      refuse({"", given_.tolerance->where}, "there is no check that --tol could apply to", "add --check NAME=FILE.npy");
    for (ExpectationDraft& expectation : file_.expectations) {
      expectation.tolerance_absolute = expectation.tolerance_relative = given_.tolerance;
    }
  }

  [[nodiscard]] bool changes_launches() const {
    const LaunchDraft& given = given_.defaults;
    const auto is_number = [](const ParameterDraft& parameter) { return !is_buffer(parameter); };
    return given.grid || given.block || given.dynamic_shared_bytes ||
           std::any_of(parameters().begin(), parameters().end(), is_number);
  }

  [[nodiscard]] const std::optional<LocatedText>& kernel_of(const LaunchDraft& launch) const {
    return launch.kernel ? launch.kernel : file_.defaults.kernel;
  }

  /// Launches that name no kernel run the one of --kernel, or the only one of the code. Of the names of a kernel of
  /// CUDA C either may be that of linkers.
  [[nodiscard]] bool is_selected(const LaunchDraft& launch) const {
    const std::optional<LocatedText>& kernel = kernel_of(launch);
    if (!given_.defaults.kernel || !kernel) return true;
    const std::string& wanted = given_.defaults.kernel->value;
    return kernel->value == wanted || kernel->value == cuda::plain_kernel_name(wanted) ||
           cuda::plain_kernel_name(kernel->value) == wanted;
  }

  bool selection_is_clear() {
    const auto selected = [this](const LaunchDraft& launch) { return is_selected(launch); };
    std::set<std::string> kernels;
    for (const LaunchDraft& launch : file_.launches) kernels.insert(kernel_of(launch) ? kernel_of(launch)->value : "");
    const std::vector<std::string> names(kernels.begin(), kernels.end());
    if (!given_.defaults.kernel && kernels.size() > 1) {
      const SourceLocation where{given_.defaults.where.file, 1, 1, 1};
      refuse({"", where}, "the launch file launches several kernels: say whose launches the options change",
             "add --kernel NAME; the kernels are: " + listed(names));
      return false;
    }
    const bool any = file_.launches.empty() ? is_selected(file_.defaults)
                                            : std::any_of(file_.launches.begin(), file_.launches.end(), selected);
    if (!any)
      refuse(*given_.defaults.kernel, "no launch of the file runs kernel '" + given_.defaults.kernel->value + "'",
             did_you_mean(given_.defaults.kernel->value, names, "the kernels are"));
    return any;
  }

  void change_launches() {
    std::vector<LaunchDraft*> selected;
    for (LaunchDraft& launch : file_.launches) {
      if (is_selected(launch)) selected.push_back(&launch);
    }
    if (file_.launches.empty()) selected.push_back(&file_.defaults);
    for (LaunchDraft* launch : selected) {
      if (given_.defaults.grid) launch->grid = given_.defaults.grid;
      if (given_.defaults.block) launch->block = given_.defaults.block;
      if (given_.defaults.dynamic_shared_bytes) launch->dynamic_shared_bytes = given_.defaults.dynamic_shared_bytes;
    }
    for (const ParameterDraft& parameter : parameters()) {
      if (!is_buffer(parameter)) replace_number(parameter, selected);
    }
  }

  void replace_number(const ParameterDraft& given, const std::vector<LaunchDraft*>& selected) {
    const ParameterDraft* found = checked_declaration(given);
    if (found == nullptr) return;
    ParameterDraft replacement = given;
    if (type_is_inferred(given)) replacement.type = found->type;
    if (selected.size() >= file_.launches.size()) {
      for (std::vector<ParameterDraft>* list : lists()) replace_in(*list, replacement);
      return;
    }
    for (LaunchDraft* launch : selected) {
      if (!launch->parameters && file_.defaults.parameters) give_own_list(*launch);
      if (launch->parameters) replace_in(launch->parameters->value, replacement);
    }
  }

  /// The list of the top level for one launch alone: its buffers are those of the top level.
  void give_own_list(LaunchDraft& launch) const {
    launch.parameters = file_.defaults.parameters;
    for (ParameterDraft& draft : launch.parameters->value) {
      if (!is_buffer(draft)) continue;
      ParameterDraft reference;
      reference.name = draft.name;
      reference.buffer = draft.buffer;
      reference.where = draft.where;
      reference.name_only = true;
      reference.damaged = draft.damaged;
      draft = std::move(reference);
    }
  }

  static void replace_in(std::vector<ParameterDraft>& list, const ParameterDraft& replacement) {
    for (ParameterDraft& draft : list) {
      if (draft.name.value == replacement.name.value) draft = replacement;
    }
  }

  WorkloadDraft file_;
  const WorkloadDraft& given_;
  MistakeList& mistakes_;
};

}  // namespace

WorkloadDraft overridden(WorkloadDraft file, const WorkloadDraft& given, MistakeList& mistakes) {
  return Override(std::move(file), given, mistakes).run();
}

}  // namespace teslasim
