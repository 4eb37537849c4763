// SPDX-License-Identifier: Apache-2.0
#include "memory/texture/texture_unit.h"

#include <algorithm>
#include <bit>

#include "memory/image/memory_access.h"
#include "sim/base/clock_time.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr unsigned group_lanes = 4;
constexpr unsigned bilinear_texels = 4;
constexpr unsigned waiters_per_line = 4;  ///< on average

/// All lanes of each group of four in which some lane takes part.
unsigned lanes_in_groups(LaneMask lanes) {
  constexpr LaneMask first_of_each_group = 0x11111111U;
  const LaneMask any = lanes | lanes >> 1U | lanes >> 2U | lanes >> 3U;
  return group_lanes * static_cast<unsigned>(std::popcount(any & first_of_each_group));
}

unsigned rounded_up(unsigned work, unsigned rate) {
  return std::max((work + rate - 1) / rate, 1U);
}

}  // namespace

TextureUnit::TextureUnit(const MemoryPath& path)
    : path_(path),
      period_(path.plan.core_period),
      address_latency_(femtoseconds_of_ns(path.tpc.texture.address_ns)),
      filter_latency_(femtoseconds_of_ns(path.tpc.texture.filter_ns)),
      places_(path.tpc.texture.queue),
      under_way_(path.tpc.texture_cache.misses, path.tpc.texture_cache.misses * waiters_per_line),
      queue_(std::bit_ceil(std::size_t{path.tpc.texture.queue} + 1)),
      misses_(path.tpc.texture_cache.misses),
      replies_(path.tpc.texture.queue) {
  const TextureCacheSpec& cache = path.tpc.texture_cache;
  for (unsigned sm = 0; sm < path.plan.sms_per_tpc; ++sm) {
    shares_.push_back({TagArray(cache.geometry(), cache.replacement), {}});
  }
}

void TextureUnit::begin_launch(const DeviceMemory* memory) {
  memory_ = memory;
  for (Share& share : shares_) {
    share.tags.clear();
    share.counted = {};
  }
  under_way_.clear();
  head_ = tail_ = 0;
  looking_up_ = stuck_ = false;
  look_up_at_ = address_free_ = filter_free_ = 0;
  misses_.clear();
  replies_.clear();
  counted_ = {};
}

void TextureUnit::start(const MemoryTransaction& request, unsigned sm, Femtoseconds now) {
  SIM_CHECK(accepts(now), "the texture unit has no room for a request");
  const TextureUnitSpec& unit = path_.tpc.texture;
  const TextureAccess& access = *request.access->texture;
  const unsigned lanes = lanes_in_groups(request.lanes);
  const unsigned samples = access.texels > bilinear_texels ? 2 * lanes : lanes;
  const unsigned address_cycles = rounded_up(lanes, unit.address_units);
  Entry& youngest = entry(tail_++);
  youngest = {};
  youngest.request = request;
  youngest.filter_cycles = static_cast<std::uint16_t>(rounded_up(samples, unit.filter_units));
  ++counted_.requests;
  counted_.address_cycles += address_cycles;
  counted_.filter_cycles += youngest.filter_cycles;

  line_count_ = texture_segments(access, request.lanes, lines_, path_.tpc.texture_cache.line_bytes);
  next_line_ = 0;
  sm_ = sm;
  const TextureCacheSpec& cache = path_.tpc.texture_cache;
  usable_ways_ = static_cast<std::uint16_t>(access.linear ? std::min(cache.linear_ways, cache.ways) : cache.ways);
  looking_up_ = true;
  stuck_ = false;
  look_up_at_ = now;
  address_free_ = now + address_cycles * period_;
}

bool TextureUnit::look_up_line(Address line, Femtoseconds now) {
  Share& share = shares_[sm_];
  if (share.tags.use(line)) {
    ++share.counted.accesses;
    ++share.counted.hits;
    return true;
  }
  Entry& youngest = entry(tail_ - 1);
  const auto outcome = under_way_.add(line, {tail_ - 1, sm_});
  if (outcome == MshrTable<Waiter>::Outcome::refused) return false;
  ++share.counted.accesses;
  ++share.counted.misses;
  ++youngest.missing;
  if (outcome == MshrTable<Waiter>::Outcome::merged) {
    ++share.counted.merged;
    return true;
  }
  MemoryTransaction miss;
  miss.when = now + address_latency_;
  miss.born = miss.mark = now;
  miss.address = line;
  miss.bytes = static_cast<std::uint16_t>(path_.tpc.texture_cache.line_bytes);
  miss.sm = youngest.request.sm;
  miss.tag = usable_ways_;
  miss.measured = false;
  miss.texture = true;
  misses_.push(miss);
  return true;
}

void TextureUnit::look_up(Femtoseconds now) {
  if (!looking_up_ || stuck_ || look_up_at_ > now) return;
  for (unsigned i = 0; i < path_.tpc.texture.lines_per_cycle && next_line_ < line_count_; ++i) {
    if (!look_up_line(lines_[next_line_].address, now)) {
      stuck_ = true;
      return;
    }
    ++next_line_;
  }
  look_up_at_ = now + period_;
  if (next_line_ < line_count_) return;
  looking_up_ = false;
  address_free_ = greater(address_free_, look_up_at_);
  Entry& done = entry(tail_ - 1);
  done.looked_up = true;
  done.ready = now + address_latency_;
}

void TextureUnit::pop_miss() {
  misses_.pop();
  ++counted_.line_requests;
}

void TextureUnit::fill(const MemoryTransaction& line, Femtoseconds now) {
  ++counted_.line_replies;
  ++counted_.l1.fills;
  under_way_.release(line.address, [&](const Waiter& waiter) {
    shares_[waiter.sm].tags.fill(line.address, line.tag);
    Entry& request = entry(waiter.number);
    --request.missing;
    if (request.looked_up) request.ready = greater(request.ready, now);
  });
  if (!stuck_) return;
  stuck_ = false;
  look_up_at_ = now;
}

/// Starts on the oldest request if all of its texels are there.
void TextureUnit::filter(Femtoseconds now) {
  if (head_ == tail_ || filter_free_ > now) return;
  Entry& oldest = entry(head_);
  if (!oldest.looked_up || oldest.missing != 0 || oldest.ready > now) return;
  ++head_;
  counted_.held_back_cycles += (now - oldest.ready) / period_;
  filter_free_ = now + oldest.filter_cycles * period_;
  MemoryTransaction& request = oldest.request;
  if (memory_ != nullptr) fetch_texels(*request.access->texture, request.lanes, {}, *memory_);
  request.when = filter_free_ + filter_latency_;
  replies_.push(request);
  ++counted_.replies;
}

Femtoseconds TextureUnit::work(Femtoseconds now) {
  look_up(now);
  filter(now);
  Femtoseconds wanted = looking_up_ && !stuck_ ? look_up_at_ : never;
  if (head_ != tail_) {
    const Entry& oldest = entry(head_);
    if (oldest.looked_up && oldest.missing == 0) wanted = lesser(wanted, greater(oldest.ready, filter_free_));
  }
  return wanted;
}

TextureStatistics TextureUnit::statistics() const {
  TextureStatistics statistics = counted_;
  for (const Share& share : shares_) statistics.l1 += share.counted;
  return statistics;
}

void TextureUnit::describe_pending(std::vector<std::string>& lines) const {
  if (!busy()) return;
  lines.push_back(std::to_string(tail_ - head_ + replies_.size()) + " texture requests, " +
                  std::to_string(under_way_.lines()) + " lines under way" + (stuck_ ? ", no place for another" : ""));
}

}  // namespace teslasim
