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
#include <utility>
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
  void post(Femtoseconds when, const Act& act) {
    post_in_place<Act>(when, act);
  }
  /// The same for Act{parts...}, which is made where it will lie.
  template <typename Act, typename... Parts>
  void post_in_place(Femtoseconds when, const Parts&... parts);

 private:
  friend class Region;
  struct Letter {
    static constexpr std::size_t room = 80;
    template <typename Act, typename... Parts>
    explicit Letter(std::in_place_type_t<Act> /*kind*/, const Parts&... parts) {
      static_assert(std::is_trivially_copyable_v<Act> && sizeof(Act) <= room && alignof(Act) <= alignof(void*));
      new (content) Act{parts...};
      open = [](const std::byte* bytes) { (*std::launder(reinterpret_cast<const Act*>(bytes)))(); };
    }
    void (*open)(const std::byte* content);
    alignas(void*) std::byte content[room];
  };

  /// What is written now, and what was written before: the sender fills and empties one while the receiver reads the
  /// other, so each has a line of its own.
  struct alignas(host_line) Side {
    std::vector<Letter> letters;
  };

  Region& from_;
  unsigned to_;
  std::array<Side, 2> sides_;
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

  // ---- for ParallelRegions and StaggeredQuanta
  struct Quantum {
    Femtoseconds start = 0;
    Femtoseconds middle = 0;  ///< the domain that runs ahead goes no further at once
    Femtoseconds horizon = 0;
    Femtoseconds furthest = 0;     ///< behind it, for units that can tell that no message comes (Reach)
    unsigned read = 0, write = 1;  ///< sides from which letters are read, and where they are put
  };
  /// What others need to know after a quantum; in a line of its own, because another thread reads it.
  struct alignas(host_line) Report {
    Femtoseconds wanted = 0;   ///< ClockDomain::next_wanted of all domains
    Femtoseconds edge = 0;     ///< ClockDomain::next_edge
    Femtoseconds due = never;  ///< the earliest time that a letter wants
    std::uint64_t sent = 0;    ///< regions to which there are letters
    std::exception_ptr failure{};
    Femtoseconds failed_in = never;  ///< start of the quantum in which it failed
  };
  /// Reads the letters of `senders` and runs all edges of the quantum. A failure is reported; nothing is run after it.
  void run(const Quantum& quantum, std::uint64_t senders) noexcept;
  /// Reads the letters of `senders` on `side`.
  void read(std::uint64_t senders, unsigned side);
  /// A bit for each region that has letters for this one on `side`.
  [[nodiscard]] std::uint64_t with_letters(unsigned side) const;
  /// A bit for each region with which a wire connects this one, in either direction.
  [[nodiscard]] std::uint64_t neighbours() const;
  /// Letters are opened as they are sent (`at_once`), or kept.
  enum class Delivery : std::uint8_t { at_once, next_quantum };
  /// A new launch: no letters.
  void begin_launch(Delivery delivery);
  /// Fills in the report from the domains.
  void look();
  [[nodiscard]] const Report& report() const { return report_; }

 private:
  friend class Outbox;
  [[nodiscard]] const std::vector<Outbox::Letter>& letters_of(std::uint64_t senders, unsigned side) const;
  void run_to(const Reach& reach);
  void run_others(Femtoseconds horizon);
  void empty(unsigned side);
  /// To whom there are letters on a side: one is written while others read the other.
  struct alignas(host_line) Sent {
    std::uint64_t to = 0;
  };

  unsigned number_;
  ClockDomain* ahead_;
  std::vector<ClockDomain*> others_;
  std::vector<std::unique_ptr<Outbox>> outboxes_;  ///< by region; null: no wire leads there
  std::vector<Outbox*> senders_;                   ///< by region
  std::vector<const Region*> writers_;             ///< those of them that there are
  Delivery delivery_ = Delivery::at_once;
  unsigned side_ = 0;
  std::array<Sent, 2> sent_;  ///< by side
  Report report_;
};

template <typename Act, typename... Parts>
void Outbox::post_in_place(Femtoseconds when, const Parts&... parts) {
  if (from_.delivery_ == Region::Delivery::at_once) return Act{parts...}();
  from_.report_.sent |= std::uint64_t{1} << to_;
  if (when < from_.report_.due) from_.report_.due = when;
  sides_[from_.side_].letters.emplace_back(std::in_place_type<Act>, parts...);
}

}  // namespace teslasim
