// SPDX-License-Identifier: Apache-2.0
#include "memory/cache/line_reader.h"

#include <algorithm>

#include "memory/crossbar/crossbar_network.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

LineReader::LineReader(const MemoryPath& path, unsigned client, unsigned lines)
    : path_(path),
      room_(path.partitions(), Credits(path.places.crossbar_requests)),
      table_(lines),
      responses_(path.places.tpc_responses) {
  for (unsigned partition = 0; partition < path.partitions(); ++partition) {
    crossbar_port_.push_back(CrossbarNetwork::port(partition, client, path.clients()));
  }
  next_.access = &nothing_;
  next_.sm = path.other_client();
}

void LineReader::reset() {
  for (Credits& credits : room_) credits.reset();
  std::fill(table_.begin(), table_.end(), Line{});
  waiting_.clear();
  responses_.clear();
  left_ = 0;
  sent_ = answered_ = bytes_ = 0;
  latency_ = {};
}

Femtoseconds LineReader::receive_request(unsigned, const LineRequest& request) {
  waiting_.push(request);
  return request.when;
}

Femtoseconds LineReader::receive_response(unsigned, const MemoryTransaction& transaction) {
  responses_.push(transaction);
  return transaction.when;
}

Femtoseconds LineReader::credit(unsigned partition, Femtoseconds when) {
  room_[partition].give_back(when);
  return left_ != 0 ? when : never;
}

/// One response per core cycle, as the crossbar delivers them.
void LineReader::take_response(Femtoseconds now) {
  if (!responses_.ready(now)) return;
  const MemoryTransaction& response = responses_.front();
  Line& line = table_[response.tag];
  latency_.add(MemoryStage::noc_rsp, now - response.mark);
  latency_.add_answer(now - response.born);
  responses_.pop();
  SIM_CHECK(line.missing != 0, "a response belongs to no line");
  ++answered_;
  if (--line.missing != 0) return;
  LineRequest complete = line.request;
  complete.when = now;
  lines_->receive_line(0, complete);
}

void LineReader::start(Femtoseconds now) {
  if (left_ != 0 || waiting_.empty() || waiting_.front().when > now) return;
  const auto free = std::find_if(table_.begin(), table_.end(), [](const Line& line) { return line.missing == 0; });
  SIM_CHECK(free != table_.end(), "more lines were asked for than may be under way");
  const LineRequest request = waiting_.front();
  waiting_.pop();
  *free = {request, (request.bytes + transaction_bytes - 1) / transaction_bytes};
  next_.tag = static_cast<std::uint16_t>(free - table_.begin());
  next_.address = request.address;
  left_ = request.bytes;
}

void LineReader::send(Femtoseconds now) {
  start(now);
  if (left_ == 0) return;
  const unsigned partition = path_.map.partition_of(next_.address);
  if (!room_[partition].available(now)) return;
  room_[partition].take();
  next_.bytes = static_cast<std::uint16_t>(std::min(left_, transaction_bytes));
  next_.born = next_.mark = now;
  next_.when = now + path_.plan.core_period;  // the level sits beside the crossbar
  crossbar_->receive(crossbar_port_[partition], next_);
  ++sent_;
  bytes_ += next_.bytes;
  left_ -= next_.bytes;
  next_.address += next_.bytes;
}

Femtoseconds LineReader::advance(Femtoseconds now) {
  take_response(now);
  send(now);
  Femtoseconds wanted = responses_.next_time();
  if (left_ != 0) {
    Credits& room = room_[path_.map.partition_of(next_.address)];
    wanted = lesser(wanted, room.available(now) ? now + 1 : room.next_return());
  } else if (!waiting_.empty()) {
    wanted = lesser(wanted, greater(now + 1, waiting_.front().when));
  }
  return wanted;
}

void LineReader::describe_pending(std::vector<std::string>& lines) const {
  const auto under_way = static_cast<std::size_t>(
      std::count_if(table_.begin(), table_.end(), [](const Line& line) { return line.missing != 0; }));
  if (under_way + waiting_.size() == 0) return;
  lines.push_back(std::to_string(under_way) + " lines under way from memory, " + std::to_string(waiting_.size()) +
                  " not yet asked for");
}

}  // namespace teslasim
