// SPDX-License-Identifier: Apache-2.0
// One direction of the crossbar between TPCs and memory partitions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/traffic_observer.h"
#include "memory/transaction.h"
#include "sim/base/inbox.h"

namespace teslasim {

/// A switch with virtual output queues: one bounded queue for each pair of input and output, so that an input waiting
/// for a busy output does not hold up its other traffic. Each output passes on one transaction per core cycle, round
/// robin over the inputs, if the box behind it has room. A transaction with data keeps the output for as many cycles
/// as the data need at the width of the ports. The GPU has two: requests and responses, so that neither can
/// block the other. Not modelled: stages inside, virtual channels. Calls come at the edges of the core clock. receive
/// and credit return the time at which the network wants to work because of the message, or `never` when it makes no
/// difference.
class CrossbarNetwork {
 public:
  struct Shape {
    unsigned inputs = 1;   ///< at most 64
    unsigned outputs = 1;  ///< at most 64
    unsigned places = 1;   ///< in each queue
    /// Credits for the box behind each output; 0: it always takes what comes (one per cycle).
    unsigned receiver_places = 0;
    Femtoseconds output_latency = 1;      ///< to the box behind the output
    Femtoseconds credit_latency = 1;      ///< of a freed place back to the input
    Femtoseconds period = 1;              ///< of the core clock
    unsigned width_bytes = 128;           ///< per cycle
    bool only_writes_carry_data = false;  ///< request network
    const char* input_name = "input";     ///< for describe_pending
    const char* output_name = "output";   ///< for describe_pending
  };

  explicit CrossbarNetwork(const Shape& shape);
  /// `outputs`: called with `output_port`. `inputs`: get credits with the number of the output as port.
  void connect(std::vector<TransactionReceiver*> outputs, unsigned output_port, std::vector<CreditReceiver*> inputs);
  void reset();
  /// Reports to `observer` how long transactions wait; null: to nobody.
  void observe(TrafficObserver* observer, TrafficObserver::Way way) {
    observer_ = observer;
    way_ = way;
  }

  /// The number of the queue from `input` to `output`; senders use it as port.
  [[nodiscard]] static unsigned port(unsigned output, unsigned input, unsigned inputs) {
    return output * inputs + input;
  }

  Femtoseconds receive(unsigned port, const MemoryTransaction& transaction);
  Femtoseconds credit(unsigned output, Femtoseconds when);
  Femtoseconds advance(Femtoseconds now);

  [[nodiscard]] bool idle() const;
  [[nodiscard]] std::uint64_t passed() const { return passed_; }
  void describe_pending(std::vector<std::string>& lines) const;

 private:
  struct Output {
    std::uint64_t ready = 0;       ///< inputs whose oldest transaction for this output may go
    std::uint64_t coming = 0;      ///< inputs whose oldest one is still on its way here
    Femtoseconds soonest = never;  ///< when the first of these may go
    unsigned turn = 0;             ///< input that is asked first
    bool blocked = false;          ///< waits for a credit
    Femtoseconds free_at = 0;      ///< when the data of the last transaction have passed
  };
  [[nodiscard]] Femtoseconds serve(unsigned output, Femtoseconds now);
  /// Notes whose time has come; `first`: when the oldest transactions of all inputs may go.
  static void look(Output& state, const Femtoseconds* first, Femtoseconds now);
  [[nodiscard]] Femtoseconds pass_on(unsigned output, unsigned input, Femtoseconds now);

  Shape shape_;
  std::vector<Inbox<MemoryTransaction>> queues_;  ///< by port
  std::vector<std::uint8_t> output_of_;           ///< by port
  std::vector<Femtoseconds> first_;               ///< by port: when the oldest of the queue may go; `never` when empty
  std::vector<Output> outputs_;
  std::vector<Femtoseconds> due_;  ///< by output: when it wants to work next
  std::vector<Credits> room_;      ///< by output; empty when receivers never block
  std::vector<TransactionReceiver*> to_;
  unsigned to_port_ = 0;
  std::vector<CreditReceiver*> credit_to_;
  std::uint64_t passed_ = 0;
  TrafficObserver* observer_ = nullptr;
  TrafficObserver::Way way_ = TrafficObserver::Way::request;
};

}  // namespace teslasim
