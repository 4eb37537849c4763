// SPDX-License-Identifier: Apache-2.0
// The board of a machine: its row of boards/boards.def, the file of its link, and what the user set.
#pragma once

#include <string>
#include <vector>

#include "sim/base/config_loader.h"
#include "sim/cudart/board_spec.h"

namespace teslasim::cudart {

struct LoadedBoard {
  BoardSpec spec;
  std::vector<EffectiveValue> values;  ///< every parameter with its origin
};

/// `machine`: the word of a preset; other machines have the board of the GTX 280. `sets`: "board.KEY=VALUE". Throws
/// InputError (configuration) with all that is wrong: CFG-UNKNOWN, CFG-TYPE, CFG-RANGE.
[[nodiscard]] LoadedBoard load_board(const std::string& machine, const std::vector<std::string>& sets);

/// The same for the machine that `-c` names, a preset or files on top of each other: by the last one.
[[nodiscard]] LoadedBoard load_board(const std::vector<std::string>& machines, const std::vector<std::string>& sets);
/// What the machine is called in the names of folders: "gtx280", or the name of the last file without its end.
[[nodiscard]] std::string machine_word(const std::vector<std::string>& machines);

/// The board as TOML in comments: it may stand below a machine, whose files have no board.
[[nodiscard]] std::string board_comment(const LoadedBoard& board);
/// Reference manual of the keys (Markdown).
[[nodiscard]] std::string board_reference_markdown();

/// What the user set, told apart: keys of the board, and the others, which are the machine's.
struct SetWords {
  std::vector<std::string> board, machine;
};
[[nodiscard]] SetWords told_apart(const std::vector<std::string>& sets);

}  // namespace teslasim::cudart
