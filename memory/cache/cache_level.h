// SPDX-License-Identifier: Apache-2.0
// The second and third level of the hierarchy for instructions and constants.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "memory/cache/cache_spec.h"
#include "memory/cache/line_request.h"
#include "memory/cache/read_cache.h"
#include "sim/base/inbox.h"

namespace teslasim {

/// Stands for the cache that instructions and constants share in a TPC (level 2) or near memory (level 3), shared by
/// all clients (Collange 2010, section 10; sizes of level 2 and 3: Wong et al. 2010). Each core cycle it
/// looks up one request, round robin over the clients, and takes lines from the next level. A line leaves when the one
/// before it has left: ceil(bytes / bytes_per_cycle) cycles each. When the table of misses is full, requests that miss
/// wait and others pass.
/// Not modelled: banks, sectors, delivery of the wanted part of a line first.
/// Calls come at the edges of the core clock. receive_* return the time at which the level wants to work because of the
/// message.
class CacheLevel {
 public:
  struct Shape {
    unsigned clients = 1;
    unsigned places = 1;             ///< requests that one client may have here
    Femtoseconds period = 1;         ///< of the core clock
    Femtoseconds response = 1;       ///< to a client
    Femtoseconds next_request = 1;   ///< to the next level
    const char* client_name = "sm";  ///< for describe_pending
  };

  CacheLevel(const ConstantLevelSpec& spec, const Shape& shape);
  /// `clients` are called with port 0, `next` with `port_at_next`.
  void connect(std::vector<LineReceiver*> clients, LineReceiver& next, unsigned port_at_next);
  void reset();

  Femtoseconds receive_request(unsigned client, const LineRequest& request);
  /// From the next level; `port` is 0.
  Femtoseconds receive_line(unsigned port, const LineRequest& line);
  /// Returns the next wanted time.
  Femtoseconds advance(Femtoseconds now);

  [[nodiscard]] bool idle() const;
  [[nodiscard]] const CacheStatistics& statistics(LineKind kind) const {
    return statistics_[static_cast<unsigned>(kind)];
  }
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  struct Waiter {
    std::uint16_t client = 0;
    std::uint16_t bytes = 0;
    Address address = 0;
    LineKind kind = LineKind::instruction;
  };

  void take_lines(Femtoseconds now);
  void look_up(Femtoseconds now);
  bool serve(unsigned client, Femtoseconds now);
  void respond(const Waiter& waiter, Femtoseconds now);

  Shape shape_;
  unsigned bytes_per_cycle_;
  ReadCache<Waiter> cache_;
  std::vector<Inbox<LineRequest>> requests_;  ///< per client
  Inbox<LineRequest> lines_;
  std::vector<LineReceiver*> clients_;
  LineReceiver* next_ = nullptr;
  unsigned port_at_next_ = 0;
  unsigned turn_ = 0;             ///< client that is asked first
  bool stuck_ = false;            ///< every request that is here missed and found no place
  Femtoseconds output_free_ = 0;  ///< when the line that is leaving has left
  std::array<CacheStatistics, line_kinds> statistics_{};
};

}  // namespace teslasim
