// SPDX-License-Identifier: Apache-2.0
// Names of CUDA that these chips or this program have not: why, and what to do instead. They are not declared, since
// programs for these chips often have functions of their own under such names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace teslasim::cuda {

struct AbsentName {
  std::string message;
  std::string help;
};

/// A function, a type or a variable.
[[nodiscard]] std::optional<AbsentName> absent_name(std::string_view name);
/// A header, as `#include` has it.
[[nodiscard]] std::optional<AbsentName> absent_header(std::string_view name);
/// An atomic function on words of this type, which has the name but not this overload.
[[nodiscard]] std::optional<AbsentName> absent_atomic(std::string_view name, std::string_view type);

}  // namespace teslasim::cuda
