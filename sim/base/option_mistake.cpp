// SPDX-License-Identifier: Apache-2.0
#include "sim/base/option_mistake.h"

#include <algorithm>
#include <utility>

namespace teslasim {
namespace {

/// Characters in UTF-8 text.
std::uint32_t characters(std::string_view text) {
  return static_cast<std::uint32_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }));
}

}  // namespace

void refuse_option(std::string code, const OptionMistake& mistake, std::string message, std::string help) {
  const std::string_view value = mistake.value;
  const std::size_t begin = std::min(mistake.begin, value.size());
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.excerpt = std::string(mistake.option) + " ";
  diagnostic.where = {"command line", 0,
                      static_cast<std::uint32_t>(diagnostic.excerpt.size()) + characters(value.substr(0, begin)) + 1,
                      std::max<std::uint32_t>(1, characters(value.substr(begin, mistake.length)))};
  diagnostic.excerpt += value;
  diagnostic.help = std::move(help);
  throw InputError(ExitCode::usage, std::move(diagnostic));
}

}  // namespace teslasim
