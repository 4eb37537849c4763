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
  }
  return *outbox;
}

void Region::begin_launch(Delivery delivery) {
  delivery_ = delivery;
  for (const auto& outbox : outboxes_) {
    if (!outbox) continue;
    for (auto& letters : outbox->letters_) letters.clear();
  }
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
  for (; senders != 0; senders &= senders - 1) {
    std::vector<Outbox::Letter>& letters = senders_[static_cast<unsigned>(std::countr_zero(senders))]->letters_[side];
    for (const Outbox::Letter& letter : letters) letter.open(letter.content);
    letters.clear();
  }
}

void Region::run(const Quantum& quantum, std::uint64_t senders) noexcept {
  report_.sent = 0;
  report_.due = never;
  side_ = quantum.write;
  try {
    read(senders, quantum.read);
    for (ClockDomain* domain : others_) domain->pass(quantum.start);
    if (quantum.middle < quantum.horizon) run_to(quantum.middle);
    run_to(quantum.horizon);
    look();
  } catch (...) {
    report_.failure = std::current_exception();
  }
}

void Region::run_to(Femtoseconds horizon) {
  if (ahead_ != nullptr) ahead_->run_ahead(horizon);
  run_others(horizon);
}

void Region::run_others(Femtoseconds horizon) {
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
