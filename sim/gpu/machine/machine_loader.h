// SPDX-License-Identifier: Apache-2.0
// Machine descriptions: presets that are part of the program, files of the user's own, and overrides. Loads, checks and
// prints what a `teslasim.machine/1` file describes.
#pragma once

#include <string>
#include <vector>

#include "sim/base/config_loader.h"
#include "sim/base/diagnostic.h"
#include "sim/gpu/machine/gpu_spec.h"

namespace teslasim {

inline constexpr const char* default_machine = "gtx280";

struct LoadedMachine {
  MachineSpec spec;
  std::vector<EffectiveValue> values;  ///< every parameter, in declaration order
  std::vector<Diagnostic> warnings;    ///< unusual but possible combinations
};

struct PresetInfo {
  std::string name;   ///< what `-c` takes, e.g. "gtx280"
  std::string title;  ///< e.g. "GeForce GTX 280"
  std::string arch;   ///< e.g. "sm_13"
  unsigned sms = 0;
  double shader_mhz = 0;
  double peak_gbs_dram = 0;
  double peak_gflops_mad = 0;
};

struct ConfigDifference {
  std::string key;
  std::string unit;
  std::string left, right;  ///< values as TOML
  std::string left_origin, right_origin;
  std::string left_source, right_source;
};

/// `configs` are preset names or paths (a name with '/' or ending in ".toml" is a path), stacked left to right; empty
/// means the default machine. `sets` are "key=value", applied last. Throws InputError (ExitCode::configuration) with
/// everything that is wrong.
[[nodiscard]] LoadedMachine load_machine(const std::vector<std::string>& configs, const std::vector<std::string>& sets);

/// The same for one text that is not a file (standard input, tests); `place` is its name in errors.
[[nodiscard]] LoadedMachine load_machine_text(const std::string& place, const std::string& text,
                                              const std::vector<std::string>& sets = {});

/// The machines that `-c` knows by name, in the order of the documentation.
[[nodiscard]] std::vector<PresetInfo> preset_list();
/// The text of a preset or of a family file that presets extend; empty when there is none of that name.
[[nodiscard]] std::string preset_text(const std::string& name);

/// The effective configuration as a machine file that loads to the same values.
[[nodiscard]] std::string effective_toml(const LoadedMachine& machine);
/// The parameters whose values differ, in declaration order.
[[nodiscard]] std::vector<ConfigDifference> diff(const LoadedMachine& left, const LoadedMachine& right);

/// Reference manual of all machine keys (Markdown).
[[nodiscard]] std::string config_reference_markdown();
/// JSON Schema of machine files, for editors.
[[nodiscard]] std::string machine_json_schema();

}  // namespace teslasim
