// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/region.h"

#include <bit>
#include <utility>

namespace teslasim {

Outbox& Region::outbox_to(Region& to) {
  if (outboxes_.size() <= to.number_) outboxes_.resize(to.number_ + 1);
  std::unique_ptr<Outbox>& outbox = outboxes_[to.number_];
  if (!outbox) {
    outbox = std::make_unique<Outbox>(*this, to.number_);
    if (to.senders_.size() <= number_) to.senders_.resize(number_ + 1);
    to.senders_[number_] = outbox.get();
    to.writers_.push_back(this);
  }
  return *outbox;
}

void Region::begin_launch(Delivery delivery) {
  delivery_ = delivery;
  for (const auto& outbox : outboxes_) {
    if (!outbox) continue;
    for (Outbox::Side& side : outbox->sides_) side.letters.clear();
  }
  sent_ = {};
  report_ = {};
  look();
}

void Region::look() {
  report_.wanted = report_.edge = never;
  const auto add = [this](const ClockDomain& domain) {
    report_.wanted = lesser(report_.wanted, domain.next_wanted());
    report_.edge = lesser(report_.edge, domain.next_edge());
  };
  if (ahead_ != nullptr) add(*ahead_);
  for (const ClockDomain* domain : others_) add(*domain);
}

void Region::read(std::uint64_t senders, unsigned side) {
  for (std::uint64_t left = senders; left != 0; left &= left - 1) {
    for (const Outbox::Letter& letter : letters_of(left, side)) letter.open(letter.content);
  }
}

/// Of the first of `senders`.
const std::vector<Outbox::Letter>& Region::letters_of(std::uint64_t senders, unsigned side) const {
  return senders_[static_cast<unsigned>(std::countr_zero(senders))]->sides_[side].letters;
}

std::uint64_t Region::with_letters(unsigned side) const {
  std::uint64_t found = 0;
  for (const Region* writer : writers_) found |= (writer->sent_[side].to >> number_ & 1U) << writer->number_;
  return found;
}

std::uint64_t Region::neighbours() const {
  std::uint64_t found = 0;
  for (std::size_t to = 0; to < outboxes_.size(); ++to) found |= std::uint64_t{outboxes_[to] ? 1U : 0U} << to;
  for (const Region* writer : writers_) found |= std::uint64_t{1} << writer->number_;
  return found;
}

/// What was written two quanta ago has been read.
void Region::empty(unsigned side) {
  for (std::uint64_t left = std::exchange(sent_[side].to, 0); left != 0; left &= left - 1) {
    outboxes_[static_cast<unsigned>(std::countr_zero(left))]->sides_[side].letters.clear();
  }
}

void Region::run(const Quantum& quantum, std::uint64_t senders) noexcept {
  side_ = quantum.write;
  empty(side_);
  report_.sent = 0;
  report_.due = never;
  if (report_.failure || (senders == 0 && report_.edge >= quantum.horizon)) return;
  try {
    read(senders, quantum.read);
    for (ClockDomain* domain : others_) domain->pass(quantum.start);
    Femtoseconds begun = quantum.start;
    if (quantum.middle < quantum.horizon) {
      run_to({quantum.middle, quantum.furthest, begun});
      begun = quantum.middle;  // nor have other regions sent anything before
    }
    run_to({quantum.horizon, quantum.furthest, begun});
    look();
  } catch (...) {
    report_.failure = std::current_exception();
    report_.failed_in = quantum.start;
  }
  sent_[side_].to = report_.sent;
}

void Region::run_to(const Reach& reach) {
  if (ahead_ != nullptr) ahead_->run_ahead(reach);
  run_others(reach.horizon);
}

void Region::run_others(Femtoseconds horizon) {
  if (others_.size() == 1) return others_.front()->run_until(horizon);
  for (;;) {
    Femtoseconds edge = never;
    for (const ClockDomain* domain : others_) edge = lesser(edge, domain->next_edge());
    if (edge >= horizon) return;
    for (ClockDomain* domain : others_) {
      if (domain->next_edge() == edge) domain->run_edge(edge);
    }
  }
}

}  // namespace teslasim
