// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/board_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "sim/base/diagnostic.h"
#include "sim/base/embedded_file.h"

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
  static constexpr auto fields = std::tuple{section("board", &BoardConfig::board, "the board")};
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

SetWords told_apart(const std::vector<std::string>& sets) {
  SetWords words;
  for (const std::string& set : sets) (set.starts_with("board.") ? words.board : words.machine).push_back(set);
  return words;
}

}  // namespace cudart
}  // namespace teslasim
