// SPDX-License-Identifier: Apache-2.0
// How the block scheduler and the SMs are joined.
#pragma once

#include <systemc>

#include "sim/gpu/blocks/block_scheduler.h"
#include "sim/sm/sm.h"

namespace teslasim {

/// A wire that carries blocks to one SM.
class BlockInterface : public virtual sc_core::sc_interface, public BlockReceiver {};
/// A wire that carries completions of blocks back.
class BlockCompletionInterface : public virtual sc_core::sc_interface, public BlockCompletionReceiver {};

}  // namespace teslasim
