// SPDX-License-Identifier: Apache-2.0
// The accesses of a stream to global, local and texture memory, from issue until their registers are written. Private
// to sim/exec. With MemoryEffect::at_issue an access takes effect before `send` returns; with at_partition the memory
// side performs it, and the SM calls `complete`.
#pragma once

#include <memory>
#include <vector>

#include "memory/image/device_memory.h"
#include "memory/image/memory_access.h"
#include "sim/exec/resident_warps.h"
#include "sim/exec/warp_inst.h"

namespace teslasim {

class AccessPool {
 public:
  explicit AccessPool(const ExecutionContext& context);

  /// An access with neither texture nor registers; the rest is as it was left.
  [[nodiscard]] MemoryAccess& acquire();
  [[nodiscard]] TextureAccess& acquire_texture();
  /// What the access holds stays until it is acquired again: the functional model counts it after it has taken effect.
  void release(MemoryAccess& access);

  static void set_destination(const Operation& operation, MemoryAccess& access);
  /// Hands the access to the caller, in `out.memory`.
  void send(ResidentWarp& warp, MemoryAccess& access, WarpInst& out);
  /// Writes the registers of a load or an atomic.
  void complete(ResidentWarp& warp, MemoryAccess& access) const;

 private:
  void complete_texture(ResidentWarp& warp, MemoryAccess& access) const;

  const ExecutionContext& context_;
  std::vector<std::unique_ptr<MemoryAccess>> accesses_;
  std::vector<MemoryAccess*> free_accesses_;
  std::vector<std::unique_ptr<TextureAccess>> textures_;
  std::vector<TextureAccess*> free_textures_;
};

/// Words per lane that the access moves.
[[nodiscard]] unsigned words_of(const MemoryAccess& access);
}  // namespace teslasim
