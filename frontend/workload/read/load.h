// SPDX-License-Identifier: Apache-2.0
// Entry point: what the user named on the command line becomes a workload that is ready to run.
//   run FILE.asm                            the launch file beside it: FILE.launch.toml
//   run FILE.launch.toml                    its `code`, by default FILE.asm or FILE.cubin beside it
//   run FILE.cubin --launch X.launch.toml   the code on the command line replaces `code` of the launch file
//   run FILE.cubin --grid ... --block ...   no launch file beside it: the options are the launch
//   run FILE.asm --grid 8 --param n=512     the options in the place of values of the launch file
// Exit codes of the errors: 2 for launch options, 3 for launch files, 4 for code files (from their readers).
#pragma once

#include <memory>
#include <string>

#include "frontend/read_options.h"
#include "frontend/workload.h"
#include "frontend/workload/read/inline_options.h"

namespace teslasim {

struct WorkloadRequest {
  std::string input;             ///< .asm, .cubin, .cu, .ptx or .launch.toml
  std::string launch_file;       ///< --launch; empty: the one beside the code; "none": the options alone
  InlineLaunch options;          ///< launch options; `kernel` also serves launch files that do not name one
  bool allow_unaligned = false;  ///< see ReadOptions
  std::string compile{};  ///< options of the compiler (frontend/clang/nvcc_words.h), over those of the launch file
};

/// Reads code and launch, and reports everything that is wrong with the launch at once. Throws InputError.
[[nodiscard]] Workload load_workload(const WorkloadRequest& request, const ReadOptions& code_options = {});

/// The launch file that belongs to a code file: FILE.launch.toml beside it (whether it exists or not).
[[nodiscard]] std::string launch_file_of(const std::string& code_file);
/// True for names of launch files.
[[nodiscard]] bool is_launch_file(const std::string& path);

/// Reads the text of a launch file against a module that was read already; for tests and other front ends. `path` names
/// the file in messages, and its folder is where other files are looked for.
[[nodiscard]] Workload workload_from_text(const std::string& path, std::string_view text,
                                          std::shared_ptr<const Module> module);

}  // namespace teslasim
