// SPDX-License-Identifier: Apache-2.0
// A kernel and its file, read once for each level of machine that runs it: of a file with several images the best one
// is taken, and PTX and CUDA C are compiled.
#pragma once

#include <teslasim/kernel.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "isa/program.h"

namespace teslasim::embed {

struct Kernel::State {
  std::string file;
  std::optional<std::string> text{};  ///< of the file, when it is none
  CodeOptions options{};
  std::string name{};  ///< as the module has it
  std::shared_ptr<const Module> module{};
  std::vector<ParameterInfo> parameters{};

  /// The module for machines of a level, 10..13; `machine` is for messages. Throws InputError.
  [[nodiscard]] std::shared_ptr<const Module> module_for(std::uint8_t level, const std::string& machine);
  [[nodiscard]] const teslasim::Kernel& code() const;

 private:
  std::mutex mutex_{};
  std::map<std::uint8_t, std::shared_ptr<const Module>> modules_{};
};

/// The kernel of that name, or the only one when it is empty. Throws InputError (LAUNCH-KERNEL).
[[nodiscard]] const teslasim::Kernel& kernel_of(const Module& module, const std::string& name);

}  // namespace teslasim::embed
