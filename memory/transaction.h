// SPDX-License-Identifier: Apache-2.0
// What travels between the SMs and the memory partitions, and the interfaces for transactions, credits and completions.
#pragma once

#include <cstdint>

#include "sim/base/types.h"

namespace teslasim {

struct MemoryAccess;

/// One memory transaction of 16 to 128 bytes for some lanes of one warp's access (after coalescing).
/// `when` is stamped by the sender with its own time plus the latency of the link (> 0); a receiver takes only
/// transactions with when <= its own now, so results depend neither on process order nor on look-ahead.
struct MemoryTransaction {
  Femtoseconds when = 0;
  Femtoseconds born = 0;  ///< when the instruction issued
  Femtoseconds mark = 0;  ///< when its present stage began (MemoryStage)
  MemoryAccess* access = nullptr;
  LaneMask lanes = 0;   ///< lanes served by this transaction
  Address address = 0;  ///< aligned to `bytes`
  std::uint16_t bytes = 32;
  std::uint16_t sm = 0;   ///< which SM of the GPU asked
  std::uint16_t tag = 0;  ///< the SM's own bookkeeping, returned unchanged
  bool write = false;     ///< carries data towards memory (stores, reductions)
  bool response = true;   ///< the SM wants it back (loads, atomics)
  bool measured = true;   ///< part of the request latency; page walks are not, other requests contain them
  bool atomic = false;    ///< read, changed and written by the ROP unit (atomics, reductions)
  bool texture = false;   ///< from an SM: half a warp's texture read; from a texture unit: a line, through the caches
};

/// A bounded inbox. The sender must hold a credit; there are as many as the inbox has places.
class TransactionReceiver {
 public:
  virtual ~TransactionReceiver() = default;
  virtual void receive(unsigned port, const MemoryTransaction& transaction) = 0;
};

/// Gets a credit back: a place in the receiver's inbox, usable from `when` on.
class CreditReceiver {
 public:
  virtual ~CreditReceiver() = default;
  virtual void credit(unsigned port, Femtoseconds when) = 0;
};

/// Told when a transaction without a response (store, reduction) has taken effect at its partition; `when` is the time
/// at which it is complete. Not a message: it comes at the partition's time, which a look-ahead unit has already
/// passed, so the receiver may give records back to a pool but must not let it change any timing.
class CompletionReceiver {
 public:
  virtual ~CompletionReceiver() = default;
  virtual void completed(const MemoryTransaction& transaction) = 0;
};

}  // namespace teslasim
