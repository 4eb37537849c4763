// SPDX-License-Identifier: Apache-2.0
// The two ends of every link between units: a bounded queue of time-stamped messages, and the credits that keep it from
// overflowing. One Inbox per sender: the messages of one sender arrive in the order of their stamps, so that what a
// receiver sees does not depend on the order in which the host runs the units.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/base/types.h"

namespace teslasim {

/// Bytes of a line of the host's cache: what is used together lies in one.
inline constexpr std::size_t host_line = 64;

/// First in, first out; allocates only when constructed. `Message` has a public member `when`: the time from which on
/// the receiver may take it. Overflow or a stamp before that of the last message is an error of the sender
/// (InternalError).
template <class Message>
class MessageQueue {
 public:
  explicit MessageQueue(std::size_t capacity)
      : slots_(std::bit_ceil(capacity)),
        mask_(static_cast<std::uint32_t>(slots_.size() - 1)),
        capacity_(static_cast<std::uint32_t>(capacity)) {
    SIM_CHECK(capacity > 0 && capacity <= most_places, "an inbox has 1 to 2^31 places");
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  /// The oldest message is there and its time has come.
  [[nodiscard]] bool ready(Femtoseconds now) const { return size_ != 0 && slots_[head_].message.when <= now; }
  /// When the oldest message may be taken, or `never`.
  [[nodiscard]] Femtoseconds next_time() const { return size_ != 0 ? slots_[head_].message.when : never; }
  [[nodiscard]] const Message& front() const { return slots_[head_].message; }
  /// The same, to change it on its way to the next receiver, which copies it: then nothing is copied twice.
  [[nodiscard]] Message& front() { return slots_[head_].message; }

  void push(const Message& message) {
    SIM_CHECK(size_ < capacity_, "a message came without a credit");
    SIM_CHECK(message.when >= last_, "messages of one sender are not in time order");
    last_ = message.when;
    slots_[(head_ + size_) & mask_].message = message;
    ++size_;
  }
  void pop() {
    --size_;
    // An empty queue starts again at its first place: those few places stay in the host's cache.
    head_ = size_ == 0 ? 0 : (head_ + 1) & mask_;
  }
  void clear() {
    head_ = 0;
    size_ = 0;
    last_ = 0;
  }

 private:
  static constexpr std::size_t most_places = std::size_t{1} << 31U;
  /// Messages of about a cache line of the host lie in one.
  struct alignas(sizeof(Message) > host_line / 2 && sizeof(Message) <= host_line ? host_line : alignof(Message)) Slot {
    Message message;
  };

  std::vector<Slot> slots_;
  std::uint32_t mask_;
  std::uint32_t capacity_;
  std::uint32_t head_ = 0;
  std::uint32_t size_ = 0;
  Femtoseconds last_ = 0;
};

/// The message queue at the end of a link.
template <class Message>
class alignas(host_line) Inbox : public MessageQueue<Message> {
 public:
  using MessageQueue<Message>::MessageQueue;
};

/// The sender's view of a receiver's inbox: how many messages it may still send. Places come back as stamped messages.
/// They are used in the order in which they come back, so a ring of these times says it all.
class alignas(host_line) Credits {
 public:
  explicit Credits(unsigned places)
      : free_from_(std::bit_ceil(places)), mask_(static_cast<std::uint32_t>(free_from_.size() - 1)), places_(places) {
    reset();
  }

  /// One place at least is free at `now`.
  [[nodiscard]] bool available(Femtoseconds now) const { return next_return() <= now; }
  /// Uses a place; call only after `available`.
  void take() { ++taken_; }
  /// A place will be free again at `when`.
  void give_back(Femtoseconds when) {
    SIM_CHECK(returned_ - taken_ < places_, "a place came back that was not taken");
    SIM_CHECK(when >= last_, "places do not come back in time order");
    last_ = when;
    free_from_[returned_++ & mask_] = when;
  }
  /// When the next place is free as far as is known, or `never`.
  [[nodiscard]] Femtoseconds next_return() const {
    return taken_ != returned_ ? free_from_[taken_ & mask_] : Femtoseconds{never};
  }
  [[nodiscard]] unsigned places() const { return places_; }
  /// Places that are neither free nor on their way back.
  [[nodiscard]] unsigned in_use() const { return places_ - (returned_ - taken_); }
  void reset() {
    std::fill(free_from_.begin(), free_from_.end(), 0);
    taken_ = 0;
    returned_ = places_;
    last_ = 0;
  }

 private:
  std::vector<Femtoseconds> free_from_;  ///< by use, modulo its size: when the place is free
  std::uint32_t mask_;
  std::uint32_t places_;
  std::uint32_t taken_ = 0;
  std::uint32_t returned_ = 0;  ///< uses for which there has been a place so far
  Femtoseconds last_ = 0;
};
static_assert(sizeof(Credits) == host_line);

}  // namespace teslasim
