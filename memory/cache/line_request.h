// SPDX-License-Identifier: Apache-2.0
// What travels between the caches for instructions and constants.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/types.h"

namespace teslasim {

/// What a line holds. The levels treat both alike and count them apart.
enum class LineKind : std::uint8_t { instruction, constant };
inline constexpr unsigned line_kinds = 2;
inline constexpr std::string_view line_kind_names[line_kinds] = {"instruction", "constant"};

/// A request for a line, or the line itself on its way back. `when` is stamped by the sender with its own time plus the
/// latency of the link (> 0); the receiver takes it no earlier.
struct LineRequest {
  Femtoseconds when = 0;
  Address address = 0;      ///< first byte of the line
  std::uint16_t bytes = 0;  ///< line size of the requester
  LineKind kind = LineKind::instruction;
};

/// Takes line requests (port = who asks) or lines (port = 0). There is room for as many as the requester may have
/// under way, so no credits are needed.
class LineReceiver {
 public:
  virtual ~LineReceiver() = default;
  virtual void receive_line(unsigned port, const LineRequest& request) = 0;
};

}  // namespace teslasim
