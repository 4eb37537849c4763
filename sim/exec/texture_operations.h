// SPDX-License-Identifier: Apache-2.0
// Texture instructions: coordinates to texels at issue. Private to sim/exec; AccessPool filters on completion.
#pragma once

#include "sim/exec/access_pool.h"

namespace teslasim {

class TextureOperations {
 public:
  TextureOperations(const ExecutionContext& context, AccessPool& pool) : context_(context), pool_(pool) {}

  void read(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out);

 private:
  [[nodiscard]] const Texture& bound_texture(const ResidentWarp& warp, const Operation& operation, unsigned slot,
                                             LaneMask lanes) const;

  const ExecutionContext& context_;
  AccessPool& pool_;
};

}  // namespace teslasim
