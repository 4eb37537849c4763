// SPDX-License-Identifier: Apache-2.0
// Modifiers and types of an instruction against the rows of its name.
#include <algorithm>
#include <string>
#include <vector>

#include "frontend/ptx/ptx_names.h"
#include "frontend/ptx/ptx_operations.h"

namespace teslasim::ptx {
namespace {

std::string_view without_bank(std::string_view modifier) {
  return modifier.substr(0, modifier.find('['));
}

/// The part of `text` before `separator`, which is removed with it.
std::string_view take_part(std::string_view& text, char separator) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(text.size(), part.size() + 1));
  return part;
}

bool has_word(std::string_view group, std::string_view word) {
  while (!group.empty()) {
    if (take_part(group, '|') == word) return true;
  }
  return false;
}

class RowMatcher {
 public:
  RowMatcher(const PtxInstruction& instruction, const PtxOperation& operation)
      : instruction_(instruction), operation_(operation) {}

  PtxFormMatch run() {
    result_.form = PtxForm{};
    result_.form->operation = &operation_;
    for (std::string_view rest = operation_.modifiers; !rest.empty() && result_.form;) {
      match_group(take_part(rest, ' '));
    }
    if (result_.form) match_type(0, operation_.first);
    if (result_.form) match_type(1, operation_.second);
    if (result_.form && !written_all()) refuse("has no such type or modifier", "");
    return std::move(result_);
  }
  /// Modifiers that were understood.
  [[nodiscard]] std::size_t reach() const { return at_; }

 private:
  [[nodiscard]] std::string_view word() const {
    return at_ < instruction_.modifiers.size() ? without_bank(instruction_.modifiers[at_]) : std::string_view();
  }

  [[nodiscard]] bool written_all() const { return at_ == instruction_.modifiers.size(); }

  void match_group(std::string_view group) {
    const bool needed = group.starts_with('!');
    if (needed) group.remove_prefix(1);
    if (!word().empty() && has_word(group, word())) {
      if (const auto space = space_of_word(word())) result_.form->space = *space;
      if (word() == "v2") result_.form->vector = 2;
      if (word() == "v4") result_.form->vector = 4;
      ++at_;
    } else if (needed) {
      refuse("needs one of", "." + std::string(group));
    }
  }

  void match_type(std::size_t number, PtxTypes allowed) {
    if (allowed.empty()) return;
    const auto type = type_of_word(word());
    if (!type || !allowed.has(*type)) return refuse(written_all() ? "has no type" : "has no such type or modifier", "");
    result_.form->types[number] = *type;
    ++at_;
  }

  void refuse(std::string_view why, const std::string& what) {
    const bool written = !written_all();
    PtxMistake& mistake = result_.mistake;
    mistake.place = written ? instruction_.modifier_places[at_] : instruction_.place;
    mistake.code = "PTX-OPERATION";
    mistake.message = "'" + instruction_.opcode + "' " + std::string(why) + (what.empty() ? "" : " " + what);
    if (written) mistake.message += ": '." + instruction_.modifiers[at_] + "'";
    result_.form.reset();
  }

  const PtxInstruction& instruction_;
  const PtxOperation& operation_;
  PtxFormMatch result_{};
  std::size_t at_ = 0;
};

}  // namespace

PtxFormMatch match_form(const PtxInstruction& instruction) {
  PtxFormMatch best;
  best.mistake = {instruction.place, "PTX-OPERATION", "there is no instruction '" + instruction.opcode + "'",
                  "PTX of sm_10 to sm_13, and what LLVM writes for sm_20, can be compiled"};
  std::size_t reach = 0;
  for (const PtxOperation& operation : ptx_operations()) {
    if (operation.name != instruction.opcode) continue;
    RowMatcher matcher(instruction, operation);
    PtxFormMatch match = matcher.run();
    if (match.form) return match;
    const bool first = !best.mistake.help.empty();
    if (!first && matcher.reach() <= reach) continue;
    reach = matcher.reach();
    best = std::move(match);
  }
  return best;
}

}  // namespace teslasim::ptx
