// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/wrapping_arithmetic.h"

#include <array>
#include <string_view>

namespace teslasim::cuda {

std::string with_wrapping_arithmetic(std::string code) {
  constexpr std::string_view flag = " nsw";
  for (const std::string_view operation : std::array{" = add nsw ", " = sub nsw ", " = mul nsw ", " = shl nsw "}) {
    const std::size_t before_flag = operation.size() - flag.size() - 1;
    for (std::size_t at = code.find(operation); at != std::string::npos; at = code.find(operation, at))
      code.erase(at + before_flag, flag.size());
  }
  return code;
}

}  // namespace teslasim::cuda
