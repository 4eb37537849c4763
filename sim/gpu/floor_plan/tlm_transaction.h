// SPDX-License-Identifier: Apache-2.0
// What travels over the TLM-2.0 socket behind a partition, and where it is kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

#include "memory/transaction.h"
#include "sim/base/types.h"

namespace teslasim {

class TlmMemoryPort;

/// Extension of every payload: for a target that wants to know more than address, direction and length. Read only.
class TlmTransaction final : public tlm::tlm_extension<TlmTransaction> {
 public:
  unsigned partition = 0;
  MemoryTransaction transaction;  ///< whose, and its address in the memory of the GPU

  [[nodiscard]] tlm::tlm_extension_base* clone() const override { return new TlmTransaction(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const TlmTransaction&>(other); }

 private:
  friend class TlmMemoryPort;
  enum class Stage : std::uint8_t { waiting, requested, accepted, answered };
  Stage stage = Stage::waiting;
  bool completed = false;  ///< the target wants no END_RESP
  std::uint32_t ticket = 0;
  std::uint64_t launch = 0;
  MemoryCycle arrival = 0;
  Femtoseconds accepted = 0;  ///< END_REQ
  Femtoseconds ready = 0;     ///< the answer may be taken from then on
};

/// The payloads of one port: as many as can be under way, used again and again. More are made only when a target keeps
/// references to what it has answered.
class TlmPayloads final : public tlm::tlm_mm_interface {
 public:
  static constexpr std::size_t most_bytes = 128;

  explicit TlmPayloads(std::size_t places);
  /// With its TlmTransaction and as many bytes of zeros as it may have; to be released by its user.
  [[nodiscard]] tlm::tlm_generic_payload& take();
  void free(tlm::tlm_generic_payload* payload) override;
  [[nodiscard]] std::size_t size() const { return places_.size(); }

 private:
  struct Place {
    tlm::tlm_generic_payload payload;
    std::array<unsigned char, most_bytes> data{};
  };
  void add();

  std::vector<std::unique_ptr<Place>> places_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

}  // namespace teslasim
