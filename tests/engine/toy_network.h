// SPDX-License-Identifier: Apache-2.0
// A small made-up chip for the laws of the time engine: processors (look-ahead domain) send requests over arbiters
// (second domain) to servers (third domain) and get answers, with credits, random latencies and random work.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <systemc>
#include <vector>

#include "sim/base/inbox.h"
#include "sim/engine/simulation.h"
#include "tests/support/systemc_context.h"

namespace teslasim::testing {

struct ToyMessage {
  Femtoseconds when = 0;
  std::uint32_t from = 0;
  std::uint32_t value = 0;
};

struct ToySpec {
  std::uint32_t seed = 1;  ///< sizes, latencies and the processors' work
  unsigned processors = 4, arbiters = 2, servers = 2;
  Femtoseconds period[3] = {1000, 1661, 903};
  Femtoseconds request = 700, arbiter_to_server = 1300, response = 8000;  ///< latencies, > 0
  unsigned queue = 3;
  unsigned messages = 60;  ///< per processor
};

struct ToyOptions {
  unsigned look_ahead = 0;
  Sleeping sleeping = Sleeping::on;
  std::uint32_t construction_seed = 0;
  unsigned launches = 1;
  /// Processors go on beyond the quantum while they know that no message can come.
  bool go_on = false;
  /// 0: one region. Else an arbiter with its processors is a region, and so is each server.
  unsigned threads = 0;
};

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
  return hash;
}

class ToyNetwork;

/// What all three kinds share: name, clock, digest of everything that happened and when.
class ToyUnit : public sc_core::sc_module, public Clocked {
 public:
  ToyUnit(const sc_core::sc_module_name& name, ToyNetwork& network, unsigned index)
      : sc_module(name), network_(network), index_(index) {}
  sc_core::sc_port<ClockInterface> clk{"clk"};
  void end_of_elaboration() override { id_ = clk->subscribe(*this, name()); }
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  void record(Femtoseconds now, std::uint64_t what) { digest_ = mix(mix(digest_, now.count()), what); }
  void wake(Femtoseconds when) { clk->wake(id_, when); }
  virtual void reset() { digest_ = 0; }

 protected:
  ToyNetwork& network_;
  unsigned index_;
  std::size_t id_ = 0;
  std::uint64_t digest_ = 0;
};

/// Computes for a random number of cycles, then sends a request if it has a credit; counts answers.
class ToyProcessor final : public ToyUnit {
 public:
  ToyProcessor(const sc_core::sc_module_name& name, ToyNetwork& network, unsigned index);
  Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) override { return advance_ahead(now, {horizon, 0, 0}); }
  Femtoseconds advance_ahead(Femtoseconds now, const Reach& reach) override;
  void describe_pending(std::vector<std::string>& lines) const override;
  void answer(const ToyMessage& message);
  void credit(Femtoseconds when);
  void reset() override;
  [[nodiscard]] unsigned unanswered() const { return sent_ - answered_; }
  [[nodiscard]] bool done() const { return left_ == 0 && unanswered() == 0; }
  [[nodiscard]] Femtoseconds last_progress() const { return last_progress_; }

 private:
  Femtoseconds edge(Femtoseconds now);
  std::mt19937 random_;
  std::vector<Inbox<ToyMessage>> answers_;  ///< per server
  Credits credits_;
  Femtoseconds busy_until_ = 0, last_progress_ = 0;
  Femtoseconds ran_to_ = 0;  ///< what comes must not be for an edge before
  unsigned left_ = 0, sent_ = 0, answered_ = 0;
};

/// Passes one request per edge on, round robin over its processors, if the server has room.
class ToyArbiter final : public ToyUnit {
 public:
  ToyArbiter(const sc_core::sc_module_name& name, ToyNetwork& network, unsigned index);
  Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) override;
  void describe_pending(std::vector<std::string>& lines) const override;
  void request(unsigned processor, const ToyMessage& message);
  void credit(unsigned server, Femtoseconds when);
  void reset() override;

 private:
  std::vector<Inbox<ToyMessage>> queues_;  ///< per processor of the whole network
  std::vector<Credits> credits_;           ///< per server
  std::size_t turn_ = 0;
};

/// Serves one request at a time, from its arbiters in turn; its answer depends on everything it has seen before.
class ToyServer final : public ToyUnit {
 public:
  ToyServer(const sc_core::sc_module_name& name, ToyNetwork& network, unsigned index);
  Femtoseconds advance(Femtoseconds now, Femtoseconds horizon) override;
  void describe_pending(std::vector<std::string>& lines) const override;
  void request(unsigned arbiter, const ToyMessage& message);
  void reset() override;
  bool mute = false;  ///< takes no request any more: for tests of dead ends

 private:
  std::vector<Inbox<ToyMessage>> queues_;  ///< per arbiter
  Femtoseconds free_at_ = 0;
  std::size_t turn_ = 0;
};

class ToyNetwork {
 public:
  ToyNetwork(const ToySpec& spec, const ToyOptions& options);
  RunResult launch(const RunRequest& extra = {});
  [[nodiscard]] std::uint64_t digest() const;
  [[nodiscard]] unsigned server_of(std::uint32_t value) const { return value % spec.servers; }
  [[nodiscard]] unsigned arbiter_of(unsigned processor) const { return processor % spec.arbiters; }
  /// From an arbiter to a server or back: by mail when they are in two regions.
  template <typename Act>
  void send_down(unsigned arbiter, unsigned server, Femtoseconds when, const Act& act) {
    ways.empty() ? act() : ways[arbiter * spec.servers + server].down->post(when, act);
  }
  template <typename Act>
  void send_up(unsigned server, unsigned arbiter, Femtoseconds when, const Act& act) {
    ways.empty() ? act() : ways[arbiter * spec.servers + server].up->post(when, act);
  }

  ToySpec spec;
  bool go_on;
  std::vector<std::unique_ptr<ToyProcessor>> processors;
  std::vector<std::unique_ptr<ToyArbiter>> arbiters;
  std::vector<std::unique_ptr<ToyServer>> servers;

 private:
  void build(const ToyOptions& options);
  void build_regions(const ToyOptions& options);
  /// Kind 0: processors, 1: arbiters, 2: servers. `index`: of the arbiter or the server.
  [[nodiscard]] ClockDomain& clock(unsigned kind, unsigned index);

 public:
  std::vector<std::unique_ptr<ClockDomain>> domains;
  std::vector<std::unique_ptr<Region>> regions;
  struct Way {
    Outbox* down;
    Outbox* up;
  };
  std::vector<Way> ways;  ///< between arbiters and servers
  std::unique_ptr<Island> island;
};

/// Digest of `options.launches` launches, each of which must finish; in a SystemC context of its own.
std::uint64_t toy_digest(const ToySpec& spec, const ToyOptions& options);

}  // namespace teslasim::testing
