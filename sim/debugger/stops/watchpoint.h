// SPDX-License-Identifier: Apache-2.0
// A word of memory whose writers are to be stopped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/types.h"

namespace teslasim {

class DeviceMemory;
struct WarpInst;

/// What a store, or an atomic access, does to four bytes.
struct WordWrite {
  LaneMask lanes = 0;           ///< that write there; of several, the highest wins
  std::uint32_t old_value = 0;  ///< when the instruction issues
  std::uint32_t new_value = 0;  ///< of an atomic access: the operand of the highest lane
  std::string operation{};      ///< of an atomic access; empty: a store
};

class Watchpoint {
 public:
  /// `sm`: of shared memory; without effect for device memory. `text` is how the user named the place.
  Watchpoint(unsigned number, bool shared, Address address, SmIndex sm, std::string text)
      : number_(number), shared_(shared), address_(address), sm_(sm), text_(std::move(text)) {}

  /// What `record` does to the word; nothing: no lane writes there. Device memory has not changed yet.
  [[nodiscard]] std::optional<WordWrite> write_of(const WarpInst& record, const DeviceMemory& memory) const;
  /// The same for shared memory, which has changed already: `now` holds the word, and `before` is what it was.
  [[nodiscard]] std::optional<WordWrite> write_of(const WarpInst& record, std::uint32_t before,
                                                  const std::uint8_t* now) const;
  [[nodiscard]] unsigned number() const { return number_; }
  [[nodiscard]] bool shared() const { return shared_; }
  [[nodiscard]] Address address() const { return address_; }
  [[nodiscard]] SmIndex sm() const { return sm_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  unsigned number_;
  bool shared_;
  Address address_;
  SmIndex sm_;
  std::string text_;
};

}  // namespace teslasim
