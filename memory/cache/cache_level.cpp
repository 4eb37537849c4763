// SPDX-License-Identifier: Apache-2.0
#include "memory/cache/cache_level.h"

#include <algorithm>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {

CacheLevel::CacheLevel(const ConstantLevelSpec& spec, const Shape& shape)
    : shape_(shape),
      bytes_per_cycle_(spec.bytes_per_cycle),
      cache_(spec.geometry(), spec.replacement, spec.misses, shape.clients * shape.places),
      requests_(shape.clients, Inbox<LineRequest>(shape.places)),
      lines_(spec.misses) {}

void CacheLevel::connect(std::vector<LineReceiver*> clients, LineReceiver& next, unsigned port_at_next) {
  SIM_CHECK(clients.size() == requests_.size(), "one link per client is needed");
  clients_ = std::move(clients);
  next_ = &next;
  port_at_next_ = port_at_next;
}

void CacheLevel::reset() {
  cache_.reset();
  for (auto& inbox : requests_) inbox.clear();
  lines_.clear();
  turn_ = 0;
  stuck_ = false;
  output_free_ = 0;
  statistics_ = {};
}

Femtoseconds CacheLevel::receive_request(unsigned client, const LineRequest& request) {
  requests_[client].push(request);
  return request.when;
}

Femtoseconds CacheLevel::receive_line(unsigned, const LineRequest& line) {
  lines_.push(line);
  return line.when;
}

void CacheLevel::respond(const Waiter& waiter, Femtoseconds now) {
  const std::uint64_t cycles = (waiter.bytes + bytes_per_cycle_ - 1) / bytes_per_cycle_;
  output_free_ = greater(output_free_, now) + cycles * shape_.period;
  clients_[waiter.client]->receive_line(0, {output_free_ + shape_.response, waiter.address, waiter.bytes, waiter.kind});
}

void CacheLevel::take_lines(Femtoseconds now) {
  for (; lines_.ready(now); lines_.pop()) {
    const LineRequest& line = lines_.front();
    ++statistics_[static_cast<unsigned>(line.kind)].fills;
    cache_.fill(line.address, [this, now](const Waiter& waiter) { respond(waiter, now); });
    stuck_ = false;
  }
}

bool CacheLevel::serve(unsigned client, Femtoseconds now) {
  const LineRequest request = requests_[client].front();
  const Waiter waiter{static_cast<std::uint16_t>(client), request.bytes, request.address, request.kind};
  const auto result = cache_.read(request.address, waiter);
  if (result == ReadCache<Waiter>::Result::refused) return false;
  requests_[client].pop();
  CacheStatistics& count = statistics_[static_cast<unsigned>(request.kind)];
  ++count.accesses;
  if (result == ReadCache<Waiter>::Result::hit) {
    ++count.hits;
    respond(waiter, now);
    return true;
  }
  ++count.misses;
  if (result == ReadCache<Waiter>::Result::merged) {
    ++count.merged;
    return true;
  }
  const CacheGeometry& geometry = cache_.tags().geometry();
  next_->receive_line(port_at_next_, {now + shape_.next_request, cache_.tags().line_of(request.address),
                                      static_cast<std::uint16_t>(geometry.line_bytes), request.kind});
  return true;
}

void CacheLevel::look_up(Femtoseconds now) {
  bool any = false;
  for (unsigned i = 0; i < shape_.clients; ++i) {
    const unsigned client = turn_ + i < shape_.clients ? turn_ + i : turn_ + i - shape_.clients;
    if (!requests_[client].ready(now)) continue;
    any = true;
    if (!serve(client, now)) continue;
    turn_ = client + 1 == shape_.clients ? 0 : client + 1;
    stuck_ = false;
    return;
  }
  stuck_ = any;
}

Femtoseconds CacheLevel::advance(Femtoseconds now) {
  take_lines(now);
  look_up(now);
  Femtoseconds wanted = lines_.next_time();
  for (const auto& inbox : requests_) {
    if (stuck_ && inbox.ready(now)) continue;  // missed without a place: a line must come first
    wanted = lesser(wanted, inbox.next_time());
  }
  return wanted;
}

bool CacheLevel::idle() const {
  return cache_.outstanding().empty() && lines_.empty() &&
         std::all_of(requests_.begin(), requests_.end(), [](const auto& inbox) { return inbox.empty(); });
}

void CacheLevel::describe_pending(std::vector<std::string>& lines) const {
  for (std::size_t client = 0; client < requests_.size(); ++client) {
    if (requests_[client].empty()) continue;
    lines.push_back(std::to_string(requests_[client].size()) + " line requests of " + shape_.client_name +
                    std::to_string(client));
  }
  if (!cache_.outstanding().empty()) {
    lines.push_back(std::to_string(cache_.outstanding().lines()) + " lines under way from the next level");
  }
}

}  // namespace teslasim
