// SPDX-License-Identifier: Apache-2.0
// From a draft to a workload: fills in defaults, checks every value, compares the parameters with the kernel's, finds
// the files. Everything that is wrong is added to the list; the result is only meaningful when nothing was.
// Errors: LAUNCH-TYPE, LAUNCH-RANGE, LAUNCH-MISSING, LAUNCH-UNKNOWN, LAUNCH-ORDER, LAUNCH-DUPLICATE, LAUNCH-KERNEL,
// LAUNCH-FILE, LAUNCH-BUILTIN, LAUNCH-TEXTURE.
#pragma once

#include <memory>
#include <string>

#include "frontend/workload.h"
#include "frontend/workload/read/draft.h"
#include "frontend/workload/read/source_text.h"

namespace teslasim {

struct ResolveContext {
  std::shared_ptr<const Module> module;  ///< nullptr when the code could not be read: kernels are then not checked
  std::string folder;                    ///< file names in the draft are relative to it; empty: the current folder
  std::string kernel;                    ///< kernel of launches that do not name one; empty: the only one of the module
};

[[nodiscard]] Workload resolve(const WorkloadDraft& draft, const ResolveContext& context, MistakeList& mistakes);

/// `file` relative to `folder`, unless it is absolute.
[[nodiscard]] std::string path_in(const std::string& folder, const std::string& file);

}  // namespace teslasim
