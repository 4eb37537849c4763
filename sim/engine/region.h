// SPDX-License-Identifier: Apache-2.0
// A part of the chip that one thread simulates through a quantum, and the mail between such parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "sim/base/inbox.h"
#include "sim/base/types.h"
#include "sim/engine/clock_domain.h"

namespace teslasim {

class Region;

/// What the units of one region send to those of another. Every wire between the two goes through it. A letter is a
/// call to the receiver that is made when the next quantum begins, by the thread that then runs the receiver's region:
/// early enough, because its time stamp lies at or after the end of the quantum in which it was sent.
class Outbox {
 public:
  Outbox(Region& from, unsigned to) : from_(from), to_(to) {}

  /// `act` is called once. It wants a unit of the receiver to work at `when`; `never`: it wants nobody to.
  template <typename Act>
  void post(Femtoseconds when, const Act& act);

 private:
  friend class Region;
  struct Letter {
    static constexpr std::size_t room = 80;
    template <typename Act>
    explicit Letter(const Act& act) {
      static_assert(std::is_trivially_copyable_v<Act> && sizeof(Act) <= room && alignof(Act) <= alignof(void*));
      new (content) Act(act);
      open = [](const std::byte* bytes) { (*std::launder(reinterpret_cast<const Act*>(bytes)))(); };
    }
    void (*open)(const std::byte* content);
    alignas(void*) std::byte content[room];
  };

  Region& from_;
  unsigned to_;
  std::array<std::vector<Letter>, 2> letters_;  ///< by side: sent now, and before
};

/// Clock domains whose units exchange messages as they like; with other regions they exchange mail only, with latencies
/// of at least a quantum. While several regions run at once, nothing that one of them writes is read by another.
class Region {
 public:
  static constexpr unsigned most = 64;

  /// `ahead`: the domain that may run ahead of the others in this region, or null.
  Region(unsigned number, ClockDomain* ahead, std::vector<ClockDomain*> others)
      : number_(number), ahead_(ahead), others_(std::move(others)) {}

  /// The way to `to`, for wires; made at the first call.
  [[nodiscard]] Outbox& outbox_to(Region& to);
  [[nodiscard]] unsigned number() const { return number_; }
  [[nodiscard]] ClockDomain* ahead() const { return ahead_; }
  [[nodiscard]] const std::vector<ClockDomain*>& others() const { return others_; }

  // ---- for ParallelRegions
  struct Quantum {
    Femtoseconds start = 0;
    Femtoseconds middle = 0;  ///< the domain that runs ahead goes no further at once
    Femtoseconds horizon = 0;
    unsigned read = 0, write = 1;  ///< sides from which letters are read, and where they are put
  };
  /// What others need to know after a quantum; in a line of its own, because another thread reads it.
  struct alignas(host_line) Report {
    Femtoseconds wanted = 0;   ///< ClockDomain::next_wanted of all domains
    Femtoseconds edge = 0;     ///< ClockDomain::next_edge
    Femtoseconds due = never;  ///< the earliest time that a letter wants
    std::uint64_t sent = 0;    ///< regions to which there are letters
    std::exception_ptr failure{};
  };
  /// Reads the letters of `senders` and runs all edges of the quantum. Failures are reported.
  void run(const Quantum& quantum, std::uint64_t senders) noexcept;
  /// Reads the letters of `senders` on `side`.
  void read(std::uint64_t senders, unsigned side);
  /// Letters are opened as they are sent (`at_once`), or kept.
  enum class Delivery : std::uint8_t { at_once, next_quantum };
  /// A new launch: no letters.
  void begin_launch(Delivery delivery);
  /// Fills in the report from the domains.
  void look();
  [[nodiscard]] const Report& report() const { return report_; }

 private:
  friend class Outbox;
  void run_to(Femtoseconds horizon);
  void run_others(Femtoseconds horizon);

  unsigned number_;
  ClockDomain* ahead_;
  std::vector<ClockDomain*> others_;
  std::vector<std::unique_ptr<Outbox>> outboxes_;  ///< by region; null: no wire leads there
  std::vector<Outbox*> senders_;                   ///< by region
  Delivery delivery_ = Delivery::at_once;
  unsigned side_ = 0;
  Report report_;
};

template <typename Act>
void Outbox::post(Femtoseconds when, const Act& act) {
  if (from_.delivery_ == Region::Delivery::at_once) return act();
  from_.report_.sent |= std::uint64_t{1} << to_;
  if (when < from_.report_.due) from_.report_.due = when;
  letters_[from_.side_].emplace_back(act);
}

}  // namespace teslasim
