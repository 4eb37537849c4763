// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/tlm_memory_port.h"

#include <algorithm>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {

TlmTransaction& extension_of(tlm::tlm_generic_payload& payload) {
  return *payload.get_extension<TlmTransaction>();
}

[[noreturn]] void refuse(const char* port, const std::string& what) {
  Diagnostic mistake;
  mistake.code = "TLM-TARGET";
  mistake.message = std::string("the memory model behind ") + port + ' ' + what;
  mistake.help = "teslasim explain TLM-TARGET";
  throw InputError(ExitCode::configuration, std::move(mistake));
}

}  // namespace

TlmMemoryPort::TlmMemoryPort(const sc_core::sc_module_name& name, const MemoryPath& path, unsigned partition)
    : TracedModule(name),
      path_(path),
      partition_(partition),
      period_(path.plan.memory_period),
      payloads_(std::size_t{path.dram.queue} + path.dram.write_queue),
      waiting_(std::size_t{path.dram.queue} + path.dram.write_queue) {
  socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  answers_.reserve(payloads_.size());
  constexpr unsigned small = 16;
  show("waiting", small, [this](std::uint64_t) { return waiting_.size(); });
  show("not_taken", small, [this](std::uint64_t) { return answers_.size(); });
  show("under_way", small, [this](std::uint64_t) { return depth_; });
}

void TlmMemoryPort::connect(ClockPort& clock, Island& island) {
  clock_ = &clock;
  island_ = &island;
}

void TlmMemoryPort::require_bound() {
  if (socket.get_base_port().bind_count() == 0) refuse(name(), "is missing: its socket was not bound");
}

/// Transactions of a launch that was cut off stay in the target; their answers are discarded.
void TlmMemoryPort::reset() {
  for (; !waiting_.empty(); waiting_.pop()) waiting_.front()->release();
  for (Payload* payload : answers_) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    if (!extension_of(*payload).completed) socket->nb_transport_fw(*payload, phase, delay);
    payload->release();
  }
  answers_.clear();
  ++launch_;
  request_from_ = 0;
  objection_.clear();
  wanted_ = never;
  last_data_ = depth_changed_ = 0;
  depth_ = deepest_ = depth_cycles_ = 0;
}

void TlmMemoryPort::push(const MemoryTransaction& transaction, Direction direction, std::uint32_t ticket,
                         MemoryCycle now) {
  SIM_CHECK(transaction.bytes <= TlmPayloads::most_bytes, "a transaction is longer than a payload");
  Payload& payload = payloads_.take();
  TlmTransaction& entry = extension_of(payload);
  entry.partition = partition_;
  entry.transaction = transaction;
  entry.stage = Stage::waiting;
  entry.completed = false;
  entry.ticket = ticket;
  entry.launch = launch_;
  entry.arrival = now;
  payload.set_command(direction == Direction::read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
  payload.set_address(path_.map.local_of(transaction.address));
  payload.set_data_length(transaction.bytes);
  payload.set_streaming_width(transaction.bytes);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  waiting_.push(&payload);
  island_->expect_answer();
  count_depth(now, 1);
  if (requesting_ == nullptr) want(greater(now, edge_from(request_from_)));
}

bool TlmMemoryPort::step(MemoryCycle now, Served& served) {
  wanted_ = never;
  if (!objection_.empty()) refuse(name(), objection_);
  const bool done = take_answer(now, served);
  if (!waiting_.empty() && requesting_ == nullptr && request_from_ <= now * period_) request(now);
  want_next(now);
  return done;
}

void TlmMemoryPort::want_next(MemoryCycle now) {
  if (!answers_.empty()) want(greater(now + 1, edge_from(extension_of(*answers_.front()).ready)));
  if (!waiting_.empty() && requesting_ == nullptr) want(greater(now + 1, edge_from(request_from_)));
  if (!objection_.empty()) want(now + 1);
}

/// The island runs each edge at its own time: no delay, as a rule.
sc_core::sc_time TlmMemoryPort::until(MemoryCycle now) const {
  return sc_core::sc_time::from_value((now * period_ - island_->present()).count());
}

void TlmMemoryPort::request(MemoryCycle now) {
  Payload& payload = *waiting_.front();
  waiting_.pop();
  requesting_ = &payload;
  extension_of(payload).stage = Stage::requested;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = until(now);
  const tlm::tlm_sync_enum result = socket->nb_transport_fw(payload, phase, delay);
  const Femtoseconds when = island_->present() + delay.value();
  if (result == tlm::TLM_COMPLETED) {
    extension_of(payload).completed = true;
    answered(payload, when);
  } else if (result == tlm::TLM_UPDATED) {
    hear(payload, phase, when);
  }
}

bool TlmMemoryPort::take_answer(MemoryCycle now, Served& served) {
  if (answers_.empty() || extension_of(*answers_.front()).ready > now * period_) return false;
  Payload& payload = *answers_.front();
  answers_.erase(answers_.begin());
  const TlmTransaction& entry = extension_of(payload);
  if (!payload.is_response_ok()) refuse(name(), "answered " + payload.get_response_string());
  served.transaction = entry.transaction;
  served.ticket = entry.ticket;
  served.arrival = entry.arrival;
  served.command = std::clamp(edge_from(entry.accepted), entry.arrival, now);
  served.data_end = last_data_ = now;
  count_depth(now, -1);
  served.row_hits = 0;  // rows are the memory model's own
  served.depth_cycles = depth_cycles_;
  if (!entry.completed) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = until(now);
    socket->nb_transport_fw(payload, phase, delay);
  }
  payload.release();
  return true;
}

tlm::tlm_sync_enum TlmMemoryPort::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (payload.get_extension<TlmTransaction>() == nullptr) {
    object("spoke of a payload that it did not get from there");
    return tlm::TLM_ACCEPTED;
  }
  const bool late = extension_of(payload).launch != launch_;
  hear(payload, phase, island_->present() + delay.value());
  if (!late || phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  payload.release();
  return tlm::TLM_COMPLETED;
}

void TlmMemoryPort::hear(Payload& payload, const tlm::tlm_phase& phase, Femtoseconds when) {
  const Stage stage = extension_of(payload).stage;
  if (phase == tlm::END_REQ && stage == Stage::requested) return accepted(payload, when);
  if (phase == tlm::BEGIN_RESP && (stage == Stage::requested || stage == Stage::accepted)) {
    return answered(payload, when);
  }
  object(std::string("said ") + phase.get_name() + " out of turn");
}

void TlmMemoryPort::accepted(Payload& payload, Femtoseconds when) {
  TlmTransaction& entry = extension_of(payload);
  entry.stage = Stage::accepted;
  entry.accepted = when;
  requesting_ = nullptr;
  request_from_ = when + 1;
  if (waiting_.empty()) return;
  wake(when + 1);
  island_->woken_from_outside();
}

void TlmMemoryPort::answered(Payload& payload, Femtoseconds when) {
  TlmTransaction& entry = extension_of(payload);
  if (entry.stage == Stage::requested) accepted(payload, when);
  entry.stage = Stage::answered;
  if (entry.launch != launch_) return;
  entry.ready = when + 1;
  const auto later = [](const Femtoseconds ready, Payload* other) { return ready < extension_of(*other).ready; };
  answers_.insert(std::upper_bound(answers_.begin(), answers_.end(), entry.ready, later), &payload);
  wake(entry.ready);
  island_->answer_came();
}

void TlmMemoryPort::object(const std::string& what) {
  objection_ = what;
  wake(island_->present() + 1);
  island_->woken_from_outside();
}

void TlmMemoryPort::wake(Femtoseconds when) {
  want(edge_from(when));
  clock_->wake(when);
}

void TlmMemoryPort::count_depth(MemoryCycle now, int change) {
  depth_cycles_ += depth_ * (now - depth_changed_).count();
  depth_changed_ = now;
  depth_ += static_cast<std::uint64_t>(change);
  deepest_ = std::max(deepest_, depth_);
}

void TlmMemoryPort::add_to(PartitionStatistics& statistics, MemoryCycle) const {
  statistics.queue_cycles += depth_cycles_;
  statistics.queue_deepest = std::max(statistics.queue_deepest, deepest_);
}

}  // namespace teslasim
