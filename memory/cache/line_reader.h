// SPDX-License-Identifier: Apache-2.0
// How lines of code and constants come out of memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/cache/line_request.h"
#include "memory/image/memory_access.h"
#include "memory/memory_path.h"
#include "memory/transaction.h"
#include "sim/base/inbox.h"
#include "sim/base/launch_statistics.h"
#include "sim/base/ring.h"

namespace teslasim {

/// Stands for the port of the third-level cache at the crossbar. A line is read with transactions of up to 128 bytes,
/// in order of address, one per core cycle if the crossbar has room; it is complete when the last one has come back.
/// The transactions are ordinary traffic for crossbar, partitions and DRAM and carry no lanes, so they change nothing.
/// Not modelled: address translation for code and constants; prefetching.
/// Calls come at the edges of the core clock. receive_* and credit return the time at which the reader wants to work
/// because of the message, or `never` when it makes no difference.
class LineReader {
 public:
  static constexpr unsigned transaction_bytes = 128;  ///< the largest transaction of the machine

  /// `client` is the port at the crossbar, `lines` how many may be under way.
  LineReader(const MemoryPath& path, unsigned client, unsigned lines);
  void connect(TransactionReceiver& crossbar, LineReceiver& lines) {
    crossbar_ = &crossbar;
    lines_ = &lines;
  }
  void reset();

  Femtoseconds receive_request(unsigned port, const LineRequest& request);
  Femtoseconds receive_response(unsigned port, const MemoryTransaction& transaction);
  Femtoseconds credit(unsigned partition, Femtoseconds when);
  Femtoseconds advance(Femtoseconds now);

  [[nodiscard]] std::uint64_t sent() const { return sent_; }
  [[nodiscard]] std::uint64_t answered() const { return answered_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// From the departure of a transaction to its return.
  [[nodiscard]] const RequestLatency& latency() const { return latency_; }
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  struct Line {
    LineRequest request;
    unsigned missing = 0;  ///< transactions that have not come back; 0: free
  };
  void take_response(Femtoseconds now);
  void send(Femtoseconds now);
  void start(Femtoseconds now);

  const MemoryPath& path_;
  std::vector<unsigned> crossbar_port_;  ///< per partition
  std::vector<Credits> room_;            ///< per partition
  std::vector<Line> table_;              ///< by tag
  Ring<LineRequest> waiting_;            ///< requests not yet begun
  MemoryTransaction next_;               ///< of the line that is being asked for
  unsigned left_ = 0;                    ///< bytes of it that have not been asked for
  Inbox<MemoryTransaction> responses_;
  TransactionReceiver* crossbar_ = nullptr;
  LineReceiver* lines_ = nullptr;
  MemoryAccess nothing_;  ///< an access without lanes
  std::uint64_t sent_ = 0, answered_ = 0, bytes_ = 0;
  RequestLatency latency_;
};

}  // namespace teslasim
