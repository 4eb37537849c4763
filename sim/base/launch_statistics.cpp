// SPDX-License-Identifier: Apache-2.0
#include "sim/base/launch_statistics.h"

#include <algorithm>

namespace teslasim {

OnChipStatistics& OnChipStatistics::operator+=(const OnChipStatistics& other) {
  accesses += other.accesses;
  replays += other.replays;
  retries += other.retries;
  for (std::size_t i = 0; i < degree.size(); ++i) degree[i] += other.degree[i];
  return *this;
}

BankAccesses& BankAccesses::operator+=(const BankAccesses& other) {
  banks = std::max(banks, other.banks);
  all += other.all;
  for (std::size_t i = 0; i < some.size(); ++i) some[i] += other.some[i];
  return *this;
}

CoalescingStatistics& CoalescingStatistics::operator+=(const CoalescingStatistics& other) {
  requests_half_warp += other.requests_half_warp;
  transactions_16 += other.transactions_16;
  transactions_32 += other.transactions_32;
  transactions_64 += other.transactions_64;
  transactions_128 += other.transactions_128;
  bytes += other.bytes;
  bytes_used += other.bytes_used;
  return *this;
}

RequestLatency& RequestLatency::operator+=(const RequestLatency& other) {
  for (std::size_t i = 0; i < stage.size(); ++i) stage[i] += other.stage[i];
  for (std::size_t i = 0; i < bins; ++i) histogram[i] += other.histogram[i];
  total += other.total;
  answers += other.answers;
  return *this;
}

TextureStatistics& TextureStatistics::operator+=(const TextureStatistics& other) {
  requests += other.requests;
  replies += other.replies;
  line_requests += other.line_requests;
  line_replies += other.line_replies;
  reads += other.reads;
  read_bytes += other.read_bytes;
  address_cycles += other.address_cycles;
  filter_cycles += other.filter_cycles;
  held_back_cycles += other.held_back_cycles;
  l1 += other.l1;
  l2 += other.l2;
  return *this;
}

}  // namespace teslasim
