// SPDX-License-Identifier: Apache-2.0
// Names of nvcc's options, in all of their spellings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace teslasim::nvcc {

enum class Meaning {
  output,
  include_folder,
  define,
  undefine,
  system_folder,
  first_header,
  standard,
  library_folder,
  library,
  linker,
  host,
  assembler,
  level,
  registers,
  optimisation,
  host_debug,
  device_debug,
  profile,
  fast_math,
  contraction,
  action_object,
  action_ptx,
  action_cubin,
  action_library,
  action_fat_binary,
  action_preprocess,
  action_dependencies,
  action_host_source,
  action_version,
  action_help,
  language,
  host_compiler,
  shared_library,
  verbose,
  dry_run,
  no_warnings,
  run,
  run_words,
  clean,
  keep,
  keep_folder,
  object_folder,
  host_language,
  several_cores,
  machine_bits,
  relocatable,
  unsupported,
  accepted,
};

struct NvccOption {
  std::string_view short_name;  ///< with its dash
  std::string_view long_name;   ///< with its dashes; may be empty
  bool value = false;           ///< it has one
  bool attached = false;        ///< the value may follow the short name at once: -Idir
  Meaning meaning = Meaning::accepted;
  std::string_view help;  ///< empty: not in the page of --help
};

/// How an option was written.
struct OptionUse {
  const NvccOption* option = nullptr;
  bool has_value = false;  ///< in the word itself
  std::string value{};
};

/// Nothing when no option is spelled so.
[[nodiscard]] std::optional<OptionUse> find_option(const std::string& word);
[[nodiscard]] std::string option_help();

}  // namespace teslasim::nvcc
