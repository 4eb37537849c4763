// SPDX-License-Identifier: Apache-2.0
// How the boxes of the memory side are joined: SystemC interfaces for transactions and credits, and the gates through
// which a module's plain core gets them.
#pragma once

#include <cstddef>
#include <systemc>
#include <vector>

#include "memory/transaction.h"
#include "memory/translation/translation.h"
#include "sim/engine/clock_port.h"

namespace teslasim {

/// A wire that carries transactions, for sc_port and sc_export.
class TransactionInterface : public virtual sc_core::sc_interface, public TransactionReceiver {};
/// A wire that carries credits back.
class CreditInterface : public virtual sc_core::sc_interface, public CreditReceiver {};

/// A wire that carries translations.
class TranslationInterface : public virtual sc_core::sc_interface, public TranslationReceiver {};

/// The receivers behind bound ports: the cores call them directly instead of through the ports.
template <class Receiver, class Ports>
[[nodiscard]] std::vector<Receiver*> receivers_behind(Ports& ports) {
  std::vector<Receiver*> receivers;
  for (std::size_t i = 0; i < ports.size(); ++i) receivers.push_back(ports[i][0]);
  return receivers;
}

/// Hands transactions to a member function of the core and wakes the module for the time that this returns.
template <class Core, Femtoseconds (Core::*entry)(unsigned port, const MemoryTransaction& transaction)>
class TransactionGate final : public TransactionInterface {
 public:
  TransactionGate(Core& core, ClockPort& clock) : core_(core), clock_(clock) {}
  void receive(unsigned port, const MemoryTransaction& transaction) override {
    const Femtoseconds wanted = (core_.*entry)(port, transaction);
    if (wanted != never) clock_.wake(wanted);
  }

 private:
  Core& core_;
  ClockPort& clock_;
};

/// The same for translations.
template <class Core, Femtoseconds (Core::*entry)(unsigned port, const Translation& translation)>
class TranslationGate final : public TranslationInterface {
 public:
  TranslationGate(Core& core, ClockPort& clock) : core_(core), clock_(clock) {}
  void translate(unsigned port, const Translation& translation) override {
    const Femtoseconds wanted = (core_.*entry)(port, translation);
    if (wanted != never) clock_.wake(wanted);
  }

 private:
  Core& core_;
  ClockPort& clock_;
};

/// The same for credits.
template <class Core>
class CreditGate final : public CreditInterface {
 public:
  CreditGate(Core& core, ClockPort& clock) : core_(core), clock_(clock) {}
  void credit(unsigned port, Femtoseconds when) override {
    const Femtoseconds wanted = core_.credit(port, when);
    if (wanted != never) clock_.wake(wanted);
  }

 private:
  Core& core_;
  ClockPort& clock_;
};

}  // namespace teslasim
