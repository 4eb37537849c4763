// SPDX-License-Identifier: Apache-2.0
// One warp's access to device memory: addresses and data of 32 lanes, and how it takes effect.
#pragma once

#include <array>
#include <cstdint>

#include "memory/image/texture_access.h"
#include "sim/base/types.h"

namespace teslasim {

class DeviceMemory;

/// Created when the instruction issues (addresses, store data), performed at the partition when a transaction is served
/// (lanes of that transaction), consumed when the response returns: from then on the program sees the loaded values.
/// Lives in a pool of the SM.
struct MemoryAccess {
  enum class Kind : std::uint8_t { load, store, atomic, reduction };
  enum class Space : std::uint8_t { global, local, texture };

  Kind kind = Kind::load;
  Space space = Space::global;
  std::uint8_t bytes = 4;             ///< per lane: 1, 2, 4, 8, 16
  bool sign_extend = false;           ///< sub-word loads
  std::uint8_t operation = 0;         ///< AtomicOperation code
  bool signed_compare = false;        ///< atomic max/min on s32
  std::uint8_t destination = 0;       ///< where a load's result goes; opaque to the memory side
  std::uint8_t destination_half = 0;  ///< Operand::Half
  bool discard_result = false;
  /// By half-warp: its lanes, also those that do not take part, have words side by side from `first_address` on. See
  /// find_rows; may be false for such an access, which then takes the host longer.
  std::array<bool, 2> side_by_side{};
  std::array<Address, 2> first_address{};
  LaneMask lanes = 0;  ///< lanes that take part
  /// Stores and reductions: lanes whose transaction has taken effect; with all lanes served the record is free.
  LaneMask served = 0;
  /// Texture reads: texels and weights of all lanes; `address` and `bytes` are then those of each lane's first texel.
  /// Owned by the stream that made the access.
  TextureAccess* texture = nullptr;
  /// Loads: the row of registers, one for each word, into which values may be written as they are read. No instruction
  /// reads them before the load has returned. Null: they wait in `data`.
  std::uint32_t* registers = nullptr;
  alignas(64) std::array<std::uint32_t, warp_size> address{};
  /// Load results or store data by 32-bit word; atomics: operand in [0] ([0..1] for 64 bits), second operand (cas: new
  /// value) in [2] ([2..3]); the old value replaces [0] ([0..1]).
  alignas(64) std::array<std::array<std::uint32_t, warp_size>, 4> data{};
};

/// Sets `side_by_side` and `first_address`, so that `perform` need not look at each address.
void find_rows(MemoryAccess& access);

/// Reads or writes device memory for `lanes` of `access`, in lane order. All addresses must be valid (checked at
/// issue). Accesses to local memory took effect at issue already (they are private to a thread): nothing happens here.
/// Texture reads fetch the texels that lie in `range`, which is that of the transaction; other accesses do not look at
/// it.
void perform(MemoryAccess& access, LaneMask lanes, DeviceMemory& memory, const AddressRange& range = {});

/// The same for all lanes, while other threads of the host read and write that memory. Not for atomics.
void perform_beside_others(MemoryAccess& access, DeviceMemory& memory);

}  // namespace teslasim
