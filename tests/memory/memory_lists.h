// SPDX-License-Identifier: Apache-2.0
// Neighbours of a box of the memory side: lists that keep what they get.
#pragma once

#include <utility>
#include <vector>

#include "memory/transaction.h"
#include "memory/translation/translation.h"

namespace teslasim {

struct TransactionList final : TransactionReceiver {
  struct Entry {
    unsigned port;
    MemoryTransaction transaction;
  };
  void receive(unsigned port, const MemoryTransaction& transaction) override { entries.push_back({port, transaction}); }
  [[nodiscard]] std::vector<unsigned> tags() const {
    std::vector<unsigned> result;
    for (const auto& entry : entries) result.push_back(entry.transaction.tag);
    return result;
  }
  std::vector<Entry> entries;
};

struct TranslationList final : TranslationReceiver {
  void translate(unsigned, const Translation& translation) override { pages.push_back(translation.page); }
  std::vector<Address> pages;
};

struct CreditList final : CreditReceiver {
  void credit(unsigned port, Femtoseconds when) override { entries.emplace_back(port, when); }
  std::vector<std::pair<unsigned, Femtoseconds>> entries;
};

}  // namespace teslasim
