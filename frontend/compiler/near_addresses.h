// SPDX-License-Identifier: Apache-2.0
// Values that only serve to address s[] and l[], whose accesses add a constant for nothing.
#pragma once

#include <vector>

#include "frontend/compiler/ir.h"

namespace teslasim::compiler {

class NearAddresses {
 public:
  explicit NearAddresses(const IrFunction& function);
  /// Of the values that were there at the start.
  [[nodiscard]] bool contains(ValueIndex value) const { return value < only_.size() && only_[value]; }

 private:
  std::vector<bool> only_;
};

}  // namespace teslasim::compiler
