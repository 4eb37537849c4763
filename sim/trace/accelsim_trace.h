// SPDX-License-Identifier: Apache-2.0
// Traces of Accel-Sim (Khairy et al. 2020) as text: `kernelslist.g`, and a `.traceg` file per kernel that names the
// launch and, block by block and warp by warp, each executed instruction with its lanes, registers, opcode and
// addresses.
//
// A file must be whole: each block of its grid once, each warp of a block once, as many instructions as `insts` says.
// Knows tracer versions 1 to 4, addresses as a list, as base and stride, as base and differences. Not read: compressed
// files (.xz), bulk copies of Hopper. Errors: InputError (exit code `input`), TRACE-FOREIGN with line and column, at
// most 20 of a file.
#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/types.h"
#include "sim/trace/text_lines.h"

namespace teslasim {

struct ForeignInstruction {
  std::uint64_t pc = 0;
  LaneMask lanes = 0;
  std::vector<unsigned> destinations, sources;  ///< register numbers; 255 is the one that reads 0
  std::string opcode;                           ///< with its suffixes: "LDG.E.128.SYS"
  unsigned width = 0;                           ///< bytes per lane as the opcode says; 0: no addresses
  std::array<std::uint64_t, warp_size> address{};
};

struct ForeignLaunch {
  std::string name;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t shared_bytes = 0;
  std::uint32_t registers = 0;
  std::uint64_t shared_base = 0, local_base = 0;
  unsigned version = 3;  ///< of the tracer; before 3 each line begins with block and warp
  bool line_numbers = false;

  [[nodiscard]] std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  [[nodiscard]] std::uint64_t threads() const { return std::uint64_t{block[0]} * block[1] * block[2]; }
};

class AccelSimReader : private TextLines {
 public:
  /// Reads the lines before the first block.
  AccelSimReader(std::string path, std::unique_ptr<std::istream> text);

  [[nodiscard]] const ForeignLaunch& launch() const { return launch_; }
  /// The next instruction; false at the end. Throws what was wrong at the end, or at the 20th problem.
  [[nodiscard]] bool next(ForeignInstruction& instruction);
  /// Of the last instruction.
  [[nodiscard]] std::uint64_t block() const { return block_; }
  [[nodiscard]] std::uint32_t warp() const { return warp_; }
  [[nodiscard]] bool last_of_warp() const { return left_ == 0; }
  using TextLines::position;

 private:
  /// What the file is in the middle of.
  enum class State : std::uint8_t { outside, block, warp, instructions };

  void read_head();
  void check_head();
  void head_line();
  void frame_line();
  void marker_line(std::string_view line);
  void start_block(std::string_view place);
  void start_warp(std::uint64_t warp);
  void start_instructions(std::uint64_t count);
  void end_warp();
  void end_block();
  void end_of_file();
  [[nodiscard]] bool instruction_is_counted();
  [[nodiscard]] bool instruction_line(ForeignInstruction& instruction);

  ForeignLaunch launch_;
  std::unordered_set<std::string> head_keys_;
  std::unordered_set<std::uint64_t> blocks_;  ///< that were seen
  std::vector<bool> warps_;                   ///< of the block, that were seen
  State state_ = State::outside;
  bool marked_ = false;  ///< between #BEGIN_TB and #END_TB
  std::uint64_t block_ = 0;
  std::uint32_t warp_ = 0;
  std::uint64_t instructions_ = 0;  ///< of the warp, as it says
  std::uint64_t left_ = 0;          ///< of them, to come
  std::size_t count_line_ = 0;      ///< where it says so
};

/// The `.traceg` files that a `kernelslist.g` names, in order; other lines (copies) say nothing about time and are left
/// out. `path` is for messages.
[[nodiscard]] std::vector<std::string> accelsim_kernels(const std::string& path, std::istream& text);

}  // namespace teslasim
