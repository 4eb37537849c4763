// SPDX-License-Identifier: Apache-2.0
// What happened in the pipelines of some SMs for some time: what timelines and pipeline views are written from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/instruction_effects.h"
#include "sim/base/slot_reason.h"
#include "sim/base/types.h"

namespace teslasim {

/// Times are SM cycles of the launch; spans are [begin, end). Instructions are named by Instruction::index.
struct PipelineEvents {
  static constexpr std::uint32_t no_instruction = ~std::uint32_t{0};
  static constexpr std::uint8_t no_unit = 0xff;

  struct Instruction {
    std::uint32_t index = 0;
    std::uint16_t sm = 0;
    std::uint8_t warp = 0;
    std::uint8_t issue_class = 0;  ///< position in issue_class_names
    std::uint8_t unit = no_unit;   ///< that its first pass took; numbers of Unit
    std::uint64_t block = 0;
    LaneMask lanes = 0;         ///< that passed the guard
    std::uint32_t address = 0;  ///< of the first lane that touches memory
    std::uint16_t transactions = 0;
    SmCycle queued = 0;            ///< the warp's instruction slot was free for it from here on
    SmCycle fetched = 0;           ///< taken from the instruction cache
    SmCycle issued = 0;            ///< first pass
    SmCycle collected = 0;         ///< first cycle in which all operands had been read; 0: it reads no registers
    SmCycle interval = 0;          ///< for how long its unit takes it in
    std::vector<SmCycle> replays;  ///< further passes
    SmCycle written = 0;           ///< last result in the registers; 0: none, or after the recording
  };
  struct Wait {
    std::uint16_t sm = 0;
    std::uint8_t warp = 0;
    SlotReason state = SlotReason::issued;
    std::uint32_t producer = no_instruction;
    SmCycle begin = 0, end = 0;
  };
  struct Slots {
    std::uint16_t sm = 0;
    SlotReason reason = SlotReason::issued;
    SmCycle begin = 0, end = 0;
  };
  struct Block {
    std::uint16_t sm = 0;
    std::uint8_t slot = 0, first_warp = 0, warps = 0;
    std::uint64_t block = 0;
    SmCycle begin = 0, end = 0;
  };
  struct Opening {
    std::uint16_t sm = 0;
    std::uint8_t slot = 0;  ///< of the block whose barrier opened
    SmCycle when = 0;
  };
  enum class DramCommandKind : std::uint8_t { activate, read, write, precharge, refresh };
  struct DramCommand {
    std::uint8_t partition = 0, bank = 0;
    DramCommandKind kind = DramCommandKind::activate;
    std::uint32_t row = 0;
    std::uint32_t bytes = 0;  ///< reads and writes
    MemoryCycle begin = 0, end = 0;
  };
  struct Unit {
    std::uint16_t sm = 0;
    std::uint8_t unit = 0;  ///< 0 MAD, 1 SFU, 2 DP, 3 memory path
    std::uint32_t index = 0;
    SmCycle begin = 0, end = 0;
  };

  std::string kernel;
  SmCycle begin = 0, end = 0;  ///< the window
  std::string matched;         ///< where a window by address or stall share began; empty: it was given or never matched
  std::uint64_t dropped = 0;   ///< events beyond the limit
  std::vector<Instruction> instructions;    ///< by SM, then in the order of issue
  std::vector<InstructionEffects> effects;  ///< of each of them, or empty: not recorded
  std::vector<Wait> waits;
  std::vector<Slots> slots;
  std::vector<Block> blocks;  ///< of the whole launch
  std::vector<Unit> units;
  std::vector<Opening> openings;           ///< of the whole launch
  std::vector<DramCommand> dram_commands;  ///< when they were asked for
};

}  // namespace teslasim
