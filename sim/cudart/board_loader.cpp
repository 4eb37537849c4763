// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/board_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <sstream>
#include <string_view>

#include "sim/base/diagnostic.h"
#include "sim/base/embedded_file.h"
#include "sim/gpu/machine/machine_loader.h"

namespace teslasim {

/// The files of boards/, generated at build time.
extern const std::span<const EmbeddedFile> embedded_boards;

namespace cudart {
namespace {

constexpr const char* schema = "teslasim.board/1";

struct BoardRow {
  std::string_view machine, link;
  unsigned memory_mb;
  std::string_view source;
};
constexpr std::array board_rows{
#define BOARD(machine, link, memory_mb, source) BoardRow{machine, link, memory_mb, source},
#include "sim/cudart/boards/boards.def"
#undef BOARD
};

/// Keys have the name of their table, as in machine files.
struct BoardConfig {
  BoardSpec board;
  static constexpr auto fields(const auto& visit) { return visit(section("board", &BoardConfig::board, "the board")); }
};

const BoardRow& row_of(std::string_view machine) {
  const auto* found = std::find_if(board_rows.begin(), board_rows.end(),
                                   [machine](const BoardRow& row) { return row.machine == machine; });
  return found == board_rows.end() ? board_rows.front() : *found;
}

ConfigText layer_of(const BoardRow& row) {
  return {fmt::format("board {}", row.machine),
          fmt::format("schema = \"{}\"\nextends = \"{}\"\n[board]\nmemory_mb = {} # source: {}\n", schema, row.link,
                      row.memory_mb, row.source),
          true};
}

ConfigText file_of(const std::string& link) {
  for (const EmbeddedFile& file : embedded_boards) {
    if (file.name.ends_with("/" + link + ".toml")) return {"board " + link, std::string(file.text), true};
  }
  throw InternalError("there is no file of the link " + link);
}

}  // namespace

LoadedBoard load_board(const std::string& machine, const std::vector<std::string>& sets) {
  const BoardRow& row = row_of(machine);
  const std::string top(row.machine);
  BoardConfig config;
  const FieldList fields = collect_fields(config);
  ConfigRequest request;
  request.schema = schema;
  request.layers = {top};
  request.sets = sets;
  request.resolve = [&](const std::string& name, const std::string& /*beside*/) {
    return name == top ? layer_of(row) : file_of(name);
  };
  const LoadedConfig loaded = load_config(fields, request);
  LoadedBoard board;
  board.values = effective_values(fields, loaded);
  board.spec = config.board;
  return board;
}

LoadedBoard load_board(const std::vector<std::string>& machines, const std::vector<std::string>& sets) {
  return load_board(machine_word(machines), sets);
}

std::string machine_word(const std::vector<std::string>& machines) {
  if (machines.empty()) return default_machine;
  return std::filesystem::path(machines.back()).filename().replace_extension().string();
}

std::string board_comment(const LoadedBoard& board) {
  std::istringstream toml(config_toml(schema, board.values));
  std::string text =
      "\n# The board around the chip: only CUDA programs see it (teslasim cuda --set board.KEY=VALUE).\n";
  std::string line;
  std::getline(toml, line);  // the schema
  while (std::getline(toml, line)) {
    if (!line.empty()) text += "# " + line + "\n";
  }
  return text;
}

std::string board_reference_markdown() {
  BoardConfig config;
  return "\nThe next keys are no part of machine files. They are set for CUDA programs, by `teslasim cuda --set` or "
         "`TESLASIM_SET`; `configs show NAME` has the values of a machine with their sources.\n" +
         config_markdown(collect_fields(config));
}

SetWords told_apart(const std::vector<std::string>& sets) {
  SetWords words;
  for (const std::string& set : sets) (set.starts_with("board.") ? words.board : words.machine).push_back(set);
  return words;
}

}  // namespace cudart
}  // namespace teslasim
