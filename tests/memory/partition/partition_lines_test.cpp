// SPDX-License-Identifier: Apache-2.0
// Lines of the second-level texture cache among loads, in a partition whose queues are short.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "memory/crossbar/crossbar_network.h"
#include "memory/dram/dram_controller.h"
#include "memory/image/device_memory.h"
#include "memory/partition/partition.h"
#include "tests/memory/memory_lists.h"

namespace teslasim {
namespace {

constexpr Femtoseconds ns = 1'000'000;

/// One partition. A line is two reads, the cache holds two lines of one set, the controller a few reads.
MemoryPath path_with(unsigned reads) {
  DramSpec dram;
  dram.partitions = 1;
  dram.latency_ns = 20;
  dram.queue = reads;
  TextureL2Spec l2;
  l2.bytes = 512;
  l2.ways = 2;
  l2.line_bytes = 256;
  l2.misses = 2;
  l2.waiting = 3;
  l2.hit_ns = 10;
  TlbSpec tlb;
  tlb.ideal = true;
  return {{2, 2, ns, ns}, {}, {}, dram, {}, tlb, l2};
}

struct LineRequest {
  bool texture;
  unsigned line;   ///< of 256 bytes
  unsigned pause;  ///< nanoseconds after the request before
};

void showValue(const LineRequest& request, std::ostream& out) {
  out << (request.texture ? "line " : "load ") << request.line << " after " << request.pause << " ns";
}

rc::Gen<LineRequest> any_request() {
  return rc::gen::apply(
      [](bool texture, unsigned line, unsigned pause) {
        return LineRequest{texture, line, pause};
      },
      rc::gen::arbitrary<bool>(), rc::gen::inRange(0U, 40U), rc::gen::inRange(0U, 60U));
}

MemoryTransaction transaction_of(const LineRequest& request, Femtoseconds when, std::size_t number) {
  MemoryTransaction result;
  // Few lines of textures, so that they meet in the cache; loads from many rows, so that they keep their places.
  result.address = request.texture ? request.line % 4 * 256 : request.line * 65536;
  result.bytes = request.texture ? 32 : 64;
  result.texture = request.texture;
  result.when = when;
  result.tag = static_cast<std::uint16_t>(number);
  result.measured = false;
  return result;
}

// A line that is there when the partition looks for a place may be gone when the request is taken: the places for its
// reads are looked for again.
RC_GTEST_PROP(PartitionLines, all_requests_are_answered_whatever_evicts_whatever, ()) {
  const auto requests = *rc::gen::container<std::vector<LineRequest>>(60, any_request());
  const MemoryPath path = path_with(*rc::gen::inRange(2U, 6U));
  DramChannel channel(path);
  TextureL2 textures(path);
  DramController controller(path, channel);
  Partition partition(path, 0, controller, textures);
  TransactionList responses;
  CreditList credits;
  partition.connect(credits, responses);
  DeviceMemory memory;
  partition.begin_launch(memory, nullptr);
  std::size_t sent = 0, answered = 0;
  Femtoseconds stamp = ns;
  for (Femtoseconds now = ns; sent < requests.size() || !partition.idle(); now += ns) {
    RC_ASSERT(now < 100'000 * ns);
    if (sent < requests.size() && sent - credits.entries.size() < path.places.partition_requests) {
      stamp = std::max(stamp, now) + requests[sent].pause * ns;
      partition.receive(0, transaction_of(requests[sent], stamp, sent));
      ++sent;
    }
    partition.advance(now);
    for (; answered < responses.entries.size(); ++answered) partition.credit(0, now + ns);
  }
  RC_ASSERT(answered == requests.size());
}

}  // namespace
}  // namespace teslasim
