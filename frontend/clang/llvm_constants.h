// SPDX-License-Identifier: Apache-2.0
// Initial values of variables in LLVM's text as bytes, and the addresses among them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/clang/llvm_types.h"

namespace teslasim::cuda {

/// Eight bytes that hold the address of a symbol plus a number of bytes.
struct LlvmAddress {
  std::uint64_t offset = 0;
  std::string symbol;
  std::int64_t addend = 0;
};

struct LlvmInitial {
  std::vector<std::uint8_t> bytes;  ///< 0 where an address stands
  std::vector<LlvmAddress> addresses;
};

/// Takes a value of `type` off the front; nothing if it has a form that is not known here.
[[nodiscard]] std::optional<LlvmInitial> take_initial(LlvmCursor& cursor, const LlvmType& type, const LlvmTypes& types);

}  // namespace teslasim::cuda
