// SPDX-License-Identifier: Apache-2.0
#include "memory/tpc/tpc_memory_port.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "memory/crossbar/crossbar_network.h"
#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {
constexpr Address no_page = ~Address{0};
}  // namespace

TpcMemoryPort::TpcMemoryPort(const MemoryPath& path, unsigned tpc, TextureUnit& textures)
    : path_(path),
      textures_(textures),
      sms_(path.plan.sms_per_tpc),
      first_sm_(tpc * path.plan.sms_per_tpc),
      requests_(path.plan.sms_per_tpc, Inbox<MemoryTransaction>(path.places.tpc_requests)),
      target_(path.plan.sms_per_tpc),
      due_(path.plan.sms_per_tpc, never),
      room_(path.partitions(), Credits(path.places.crossbar_requests)),
      responses_(path.places.tpc_responses),
      tlb_(tlb_geometry(path.tlb.l1_entries, path.tlb.l1_ways), path.tlb.replacement),
      page_shift_(static_cast<unsigned>(std::countr_zero(page_bytes(path.tlb)))),
      waiting_(path.tlb.pages_under_way, path.tlb.miss_queue),
      translations_(path.tlb.pages_under_way),
      tpc_(tpc) {
  for (unsigned partition = 0; partition < path.partitions(); ++partition) {
    crossbar_port_.push_back(CrossbarNetwork::port(partition, tpc, path.clients()));
  }
}

void TpcMemoryPort::connect(TransactionReceiver& crossbar, TranslationReceiver& translations,
                            std::vector<TransactionReceiver*> responses, std::vector<CreditReceiver*> credits) {
  SIM_CHECK(responses.size() == requests_.size() && credits.size() == requests_.size(), "one link per SM is needed");
  crossbar_ = &crossbar;
  management_ = &translations;
  to_sm_ = std::move(responses);
  credit_to_sm_ = std::move(credits);
}

void TpcMemoryPort::begin_launch(const DeviceMemory* memory) {
  textures_.begin_launch(memory);
  for (auto& queue : requests_) queue.clear();
  std::fill(due_.begin(), due_.end(), never);
  texture_reads_ = others_ = 0;
  for (auto& credits : room_) credits.reset();
  responses_.clear();
  tlb_.clear();
  last_page_ = no_page;
  waiting_.clear();
  translations_.clear();
  translated_.clear();
  refused_ = 0;
  port_free_ = address_free_ = 0;
  tlb_look_ups_ = tlb_misses_ = 0;
  blocked_ = 0;
  look_at_ = never;
  turn_ = texture_turn_ = 0;
  requests_sent_ = responses_sent_ = 0;
  latency_ = {};
}

Femtoseconds TpcMemoryPort::receive_request(unsigned sm_in_tpc, const MemoryTransaction& transaction) {
  auto& queue = requests_[sm_in_tpc];
  if (transaction.response) latency_.add(MemoryStage::addr_coal, transaction.mark - transaction.born);
  const bool first = queue.empty();
  queue.push(transaction);
  if (!first) return never;
  note_oldest(sm_in_tpc);
  look_at_ = lesser(look_at_, transaction.when);
  return transaction.when;
}

void TpcMemoryPort::note_oldest(unsigned sm) {
  const std::uint32_t bit = std::uint32_t{1} << sm;
  texture_reads_ &= ~bit;
  others_ &= ~bit;
  due_[sm] = requests_[sm].next_time();
  if (due_[sm] == never) return;
  const MemoryTransaction& oldest = requests_[sm].front();
  target_[sm] = oldest.texture ? texture_unit : path_.map.partition_of(oldest.address);
  (oldest.texture ? texture_reads_ : others_) |= bit;
}

unsigned TpcMemoryPort::target_of(unsigned source) const {
  return source < sms_ ? target_[source] : path_.map.partition_of(textures_.misses().front().address);
}

Femtoseconds TpcMemoryPort::receive_response(unsigned, const MemoryTransaction& transaction) {
  const bool first = responses_.empty();
  responses_.push(transaction);
  return first ? transaction.when : never;
}

Femtoseconds TpcMemoryPort::receive_translation(unsigned, const Translation& translation) {
  translations_.push(translation);
  return translation.when;
}

Femtoseconds TpcMemoryPort::credit(unsigned partition, Femtoseconds when) {
  room_[partition].give_back(when);
  if ((blocked_ >> partition & 1U) == 0) return never;
  look_at_ = lesser(look_at_, when);
  return when;
}

/// False: no response took the cycle, so a reply of the texture unit may leave.
inline bool TpcMemoryPort::send_response(Femtoseconds now) {
  if (!responses_.ready(now)) return false;
  MemoryTransaction& response = responses_.front();
  if (response.texture) {
    textures_.fill(response, now);
    responses_.pop();
    return false;
  }
  response.when = now + path_.latency.tpc_to_sm;
  latency_.add(MemoryStage::noc_rsp, response.when - response.mark);
  latency_.add_answer(response.when - response.born);
  ++responses_sent_;
  to_sm_[response.sm - first_sm_]->receive(0, response);
  responses_.pop();
  return true;
}

void TpcMemoryPort::send_texture_reply(Femtoseconds now) {
  MemoryTransaction reply = textures_.replies().front();
  textures_.pop_reply();
  reply.when = now + path_.latency.tpc_to_sm;
  latency_.add(MemoryStage::l2_tex, now - reply.mark);
  latency_.add(MemoryStage::noc_rsp, path_.latency.tpc_to_sm);
  latency_.add_answer(reply.when - reply.born);
  ++responses_sent_;
  to_sm_[reply.sm - first_sm_]->receive(0, reply);
}

/// The texture unit takes at most one read per cycle, round robin over the SMs.
void TpcMemoryPort::start_texture_read(Femtoseconds now) {
  if (texture_reads_ == 0 || !textures_.accepts(now)) return;
  for (unsigned i = 0; i < sms_; ++i) {
    const unsigned sm = texture_turn_ + i < sms_ ? texture_turn_ + i : texture_turn_ + i - sms_;
    if ((texture_reads_ >> sm & 1U) == 0 || due_[sm] > now) continue;
    MemoryTransaction read = requests_[sm].front();
    latency_.add(MemoryStage::noc_req, now - read.mark);
    read.mark = now;
    textures_.start(read, sm, now);
    pop_request(sm, now);
    texture_turn_ = sm + 1 == sms_ ? 0 : sm + 1;
    return;
  }
}

/// After a hit the request may leave; after a miss it waits for its page outside the queue.
TpcMemoryPort::Outcome TpcMemoryPort::translate(const MemoryTransaction& request, Femtoseconds now) {
  const Address page = request.address >> page_shift_;
  if (page == last_page_ || path_.tlb.ideal || tlb_.use(page)) {
    last_page_ = page;
    ++tlb_look_ups_;
    return Outcome::translated;
  }
  MemoryTransaction waiting = request;
  waiting.mark = now;
  const Address first = page << page_shift_;
  const auto outcome = waiting_.add(first, waiting);
  if (outcome == MshrTable<MemoryTransaction>::Outcome::refused) return Outcome::refused;
  if (request.response && request.measured) latency_.add(MemoryStage::noc_req, now - request.mark);
  ++tlb_look_ups_;
  ++tlb_misses_;
  if (outcome == MshrTable<MemoryTransaction>::Outcome::started) {
    management_->translate(tpc_, {now + path_.latency.translation, first});
  }
  return Outcome::waits;
}

void TpcMemoryPort::take_translations(Femtoseconds now) {
  while (translations_.ready(now)) {
    const Address page = translations_.front().page;
    translations_.pop();
    look_at_ = 0;
    refused_ = 0;
    last_page_ = page >> page_shift_;
    tlb_.fill(last_page_);
    waiting_.release(page, [&](MemoryTransaction request) { translated_.push(request); });
  }
}

inline void TpcMemoryPort::send(MemoryTransaction& request, unsigned partition, Femtoseconds now) {
  room_[partition].take();
  ++requests_sent_;
  const bool data = request.write || request.atomic;
  port_free_ = now + (data ? path_.port_cycles(request.bytes) : 1) * path_.plan.core_period;
  request.when = now + path_.latency.tpc_to_crossbar;
  crossbar_->receive(crossbar_port_[partition], request);
}

/// Sends a request whose page has been translated.
void TpcMemoryPort::send_translated(Femtoseconds now) {
  const unsigned partition = path_.map.partition_of(translated_.front().address);
  if (!room_[partition].available(now)) return;
  MemoryTransaction& request = translated_.front();
  if (request.response && request.measured) latency_.add(MemoryStage::tlb, now - request.mark);
  request.mark = now;
  send(request, partition, now);
  translated_.pop();
}

/// The generator does not run on the core clock: time that a transaction waits for the next edge is not lost.
void TpcMemoryPort::take_address(Femtoseconds now) {
  const bool waited = now < address_free_ + path_.plan.core_period;
  address_free_ = (waited ? address_free_ : now) + path_.transaction_period;
}

inline void TpcMemoryPort::pop_request(unsigned sm, Femtoseconds now) {
  requests_[sm].pop();
  note_oldest(sm);
  credit_to_sm_[sm]->credit(0, now + path_.latency.tpc_credit);
}

/// The oldest request of a source leaves, or goes where it waits for its page. False: it stays, and others may try.
bool TpcMemoryPort::send_from(unsigned source, Femtoseconds now) {
  if (due(source) > now || free_for(source) > now) return false;
  const unsigned partition = target_of(source);
  if (!room_[partition].available(now)) return false;
  MemoryTransaction& request = source < sms_ ? requests_[source].front() : textures_.misses().front();
  const Outcome outcome = translate(request, now);
  if (outcome == Outcome::refused) {
    refused_ |= 1U << source;
    return false;
  }
  if (outcome == Outcome::translated) {
    send(request, partition, now);
  } else {
    port_free_ = now + path_.plan.core_period;
  }
  if (source < sms_) {
    take_address(now);
    pop_request(source, now);
  } else {
    textures_.pop_miss();
  }
  return true;
}

void TpcMemoryPort::send_request(Femtoseconds now) {
  if (port_free_ > now) return;
  if (!translated_.empty()) return send_translated(now);
  refused_ = 0;
  const unsigned count = sources();
  if (turn_ >= count) turn_ = 0;
  const std::uint32_t waiting = waiting_sources();
  const std::uint32_t from_turn = waiting >> turn_ << turn_;
  for (std::uint32_t part : {from_turn, waiting ^ from_turn}) {
    for (; part != 0; part &= part - 1) {
      const auto source = static_cast<unsigned>(std::countr_zero(part));
      if (!send_from(source, now)) continue;
      turn_ = source + 1 == count ? 0 : source + 1;
      return;
    }
  }
}

/// When a request that waits for the texture unit may start.
Femtoseconds TpcMemoryPort::next_texture_read() const {
  Femtoseconds next = never;
  for (std::uint32_t left = texture_reads_; left != 0; left &= left - 1) {
    next = lesser(next, greater(due_[static_cast<unsigned>(std::countr_zero(left))], textures_.free_from()));
  }
  return next;
}

/// When there is room for a request to `partition`, which is noted if there is none yet; 0: at once.
inline Femtoseconds TpcMemoryPort::room_for(unsigned partition, Femtoseconds now) {
  const Femtoseconds room = room_[partition].next_return();
  if (room <= now) return 0;
  blocked_ |= std::uint32_t{1} << partition;
  return room;
}

/// When the oldest request of any source may leave, as far as is known; notes the partitions that are waited for.
inline Femtoseconds TpcMemoryPort::next_request(Femtoseconds now) {
  blocked_ = 0;
  if (!translated_.empty()) {
    const Femtoseconds room = room_for(path_.map.partition_of(translated_.front().address), now);
    return room != 0 ? room : greater(now, port_free_);
  }
  Femtoseconds ready = never;  // of those with room, which wait for the port
  Femtoseconds next = never;
  for (std::uint32_t left = others_ & ~refused_; left != 0; left &= left - 1) {
    const auto sm = static_cast<unsigned>(std::countr_zero(left));
    const Femtoseconds room = room_for(target_[sm], now);
    if (room == 0) {
      ready = lesser(ready, due_[sm]);
    } else {
      next = lesser(next, room);
    }
  }
  if (ready != never) next = lesser(next, greater(ready, greater(port_free_, address_free_)));
  if (textures_.misses().empty() || (refused_ >> sms_ & 1U) != 0) return next;
  const Femtoseconds room = room_for(target_of(sms_), now);
  return lesser(next, room != 0 ? room : greater(due(sms_), port_free_));
}

Femtoseconds TpcMemoryPort::advance_textures(Femtoseconds now) {
  start_texture_read(now);
  look_at_ = 0;  // what it holds or held may need the port
  if (!textures_.busy()) return never;
  const Femtoseconds wanted = textures_.work(now);  // first: it may make a reply
  return lesser(wanted, textures_.replies().next_time());
}

Femtoseconds TpcMemoryPort::advance(Femtoseconds now) {
  take_translations(now);
  if (!send_response(now) && textures_.replies().ready(now)) send_texture_reply(now);
  Femtoseconds next = lesser(responses_.next_time(), translations_.next_time());
  if (texture_reads_ != 0 || textures_.busy()) next = lesser(next, advance_textures(now));
  if (look_at_ <= now) {
    send_request(now);
    look_at_ = next_request(now);
  }
  if (texture_reads_ != 0) next = lesser(next, next_texture_read());
  return lesser(next, look_at_);
}

bool TpcMemoryPort::idle() const {
  return responses_.empty() && waiting_.empty() && translated_.empty() && !textures_.busy() &&
         std::all_of(requests_.begin(), requests_.end(), [](const auto& q) { return q.empty(); });
}

void TpcMemoryPort::describe_pending(std::vector<std::string>& lines) const {
  for (std::size_t sm = 0; sm < requests_.size(); ++sm) {
    if (requests_[sm].empty()) continue;
    const std::string target =
        target_[sm] == texture_unit ? "the texture unit" : "partition " + std::to_string(target_[sm]);
    lines.push_back(std::to_string(requests_[sm].size()) + " requests of sm" + std::to_string(sm) + ", the first for " +
                    target);
  }
  textures_.describe_pending(lines);
  if (!responses_.empty()) lines.push_back(std::to_string(responses_.size()) + " responses for its SMs");
}

}  // namespace teslasim
