// SPDX-License-Identifier: Apache-2.0
// Rows of the tables of known instruction words beside the project (not part of it).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace teslasim {

struct KnownWords {
  std::string place;  ///< file and address, or group and note
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::string envydis;
};

/// Words of every instruction of the decuda test cubins; empty when the table is absent.
[[nodiscard]] std::vector<KnownWords> decuda_corpus();
/// One row per instruction form; empty when the table is absent.
[[nodiscard]] std::vector<KnownWords> instruction_forms();

}  // namespace teslasim
