// SPDX-License-Identifier: Apache-2.0
#include "memory/crossbar/crossbar_network.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {
constexpr unsigned most_ports = 64;  ///< bits in an occupancy mask
}  // namespace

CrossbarNetwork::CrossbarNetwork(const Shape& shape)
    : shape_(shape),
      queues_(std::size_t{shape.inputs} * shape.outputs, Inbox<MemoryTransaction>(shape.places)),
      first_(queues_.size(), never),
      outputs_(shape.outputs),
      due_(shape.outputs, never) {
  SIM_CHECK(shape.inputs <= most_ports && shape.outputs <= most_ports, "a crossbar has at most 64 ports on each side");
  for (unsigned output = 0; output < shape.outputs; ++output) {
    output_of_.insert(output_of_.end(), shape.inputs, static_cast<std::uint8_t>(output));
  }
  if (shape.receiver_places != 0) room_.assign(shape.outputs, Credits(shape.receiver_places));
}

void CrossbarNetwork::connect(std::vector<TransactionReceiver*> outputs, unsigned output_port,
                              std::vector<CreditReceiver*> inputs) {
  SIM_CHECK(outputs.size() == shape_.outputs && inputs.size() == shape_.inputs, "one link per port is needed");
  to_ = std::move(outputs);
  to_port_ = output_port;
  credit_to_ = std::move(inputs);
}

void CrossbarNetwork::reset() {
  for (auto& queue : queues_) queue.clear();
  for (auto& credits : room_) credits.reset();
  std::fill(first_.begin(), first_.end(), never);
  std::fill(outputs_.begin(), outputs_.end(), Output{});
  std::fill(due_.begin(), due_.end(), never);
  passed_ = 0;
}

Femtoseconds CrossbarNetwork::receive(unsigned port, const MemoryTransaction& transaction) {
  const unsigned output = output_of_[port];
  auto& queue = queues_[port];
  const bool first = queue.empty();
  queue.push(transaction);
  if (!first) return never;
  first_[port] = transaction.when;
  Output& state = outputs_[output];
  state.coming |= std::uint64_t{1} << (port - output * shape_.inputs);
  state.soonest = lesser(state.soonest, transaction.when);
  const Femtoseconds due = greater(transaction.when, state.free_at);
  if (state.blocked || due >= due_[output]) return never;
  due_[output] = due;
  return due;
}

Femtoseconds CrossbarNetwork::credit(unsigned output, Femtoseconds when) {
  room_[output].give_back(when);
  if (!outputs_[output].blocked || when >= due_[output]) return never;
  due_[output] = when;
  return when;
}

inline void CrossbarNetwork::look(Output& state, const Femtoseconds* first, Femtoseconds now) {
  state.soonest = never;
  for (std::uint64_t left = state.coming; left != 0; left &= left - 1) {
    const Femtoseconds when = first[std::countr_zero(left)];
    if (when > now) {
      state.soonest = lesser(state.soonest, when);
    } else {
      state.ready |= left & (0 - left);
    }
  }
  state.coming &= ~state.ready;
}

/// The oldest transaction of `input` leaves. Returns when the output works next; nobody whom this calls sends to it at
/// once.
inline Femtoseconds CrossbarNetwork::pass_on(unsigned output, unsigned input, Femtoseconds now) {
  Output& state = outputs_[output];
  const std::size_t place = std::size_t{output} * shape_.inputs + input;
  auto& queue = queues_[place];
  MemoryTransaction& transaction = queue.front();
  if (observer_ != nullptr) observer_->passed_crossbar(way_, transaction.when, now);
  const unsigned bytes = transaction.bytes;
  const bool data = transaction.write || transaction.atomic || !shape_.only_writes_carry_data;
  transaction.when = now + shape_.output_latency;
  to_[output]->receive(to_port_, transaction);
  queue.pop();
  const Femtoseconds following = queue.next_time();
  first_[place] = following;
  if (following > now) {
    const std::uint64_t bit = std::uint64_t{1} << input;
    state.ready ^= bit;
    state.coming |= following == never ? 0 : bit;
    state.soonest = lesser(state.soonest, following);
  }
  state.turn = input + 1 == shape_.inputs ? 0 : input + 1;
  ++passed_;
  Femtoseconds next = state.ready != 0 ? now : state.soonest;
  if (data && bytes > shape_.width_bytes) {
    state.free_at = now + (bytes + shape_.width_bytes - 1) / shape_.width_bytes * shape_.period;
    next = next == never ? never : greater(next, state.free_at);
  }
  credit_to_[input]->credit(output, now + shape_.credit_latency);
  return next;
}

/// Returns when the output works next.
inline Femtoseconds CrossbarNetwork::serve(unsigned output, Femtoseconds now) {
  Output& state = outputs_[output];
  if (state.free_at > now) return state.free_at;
  if (!room_.empty()) {
    const Femtoseconds room = room_[output].next_return();
    state.blocked = room > now;
    if (state.blocked) return room;
  }
  if (state.soonest <= now) look(state, first_.data() + std::size_t{output} * shape_.inputs, now);
  if (state.ready == 0) return state.soonest;
  if (!room_.empty()) room_[output].take();
  const std::uint64_t from_turn = state.ready >> state.turn << state.turn;
  return pass_on(output, static_cast<unsigned>(std::countr_zero(from_turn != 0 ? from_turn : state.ready)), now);
}

Femtoseconds CrossbarNetwork::advance(Femtoseconds now) {
  Femtoseconds next = never;
  Femtoseconds* const due = due_.data();
  const unsigned outputs = shape_.outputs;
  for (unsigned output = 0; output < outputs; ++output) {
    if (due[output] <= now) due[output] = serve(output, now);
    next = lesser(next, due[output]);
  }
  return next;
}

bool CrossbarNetwork::idle() const {
  return std::all_of(outputs_.begin(), outputs_.end(),
                     [](const Output& output) { return (output.ready | output.coming) == 0; });
}

void CrossbarNetwork::describe_pending(std::vector<std::string>& lines) const {
  for (unsigned output = 0; output < shape_.outputs; ++output) {
    for (std::uint64_t left = outputs_[output].ready | outputs_[output].coming; left != 0; left &= left - 1) {
      const auto input = static_cast<unsigned>(std::countr_zero(left));
      lines.push_back(std::to_string(queues_[port(output, input, shape_.inputs)].size()) + " transactions from " +
                      shape_.input_name + std::to_string(input) + " for " + shape_.output_name +
                      std::to_string(output) + (outputs_[output].blocked ? ", which has no room" : ""));
    }
  }
}

}  // namespace teslasim
