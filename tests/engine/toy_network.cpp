// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/toy_network.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "sim/base/diagnostic.h"

namespace teslasim::testing {

ToyProcessor::ToyProcessor(const sc_core::sc_module_name& name, ToyNetwork& network, unsigned index)
    : ToyUnit(name, network, index), credits_(network.spec.queue) {
  for (unsigned i = 0; i < network.spec.servers; ++i) answers_.emplace_back(network.spec.messages);
}

void ToyProcessor::reset() {
  ToyUnit::reset();
  random_.seed(network_.spec.seed * 1000U + index_);
  for (auto& answers : answers_) answers.clear();
  credits_.reset();
  busy_until_ = last_progress_ = ran_to_ = 0;
  left_ = network_.spec.messages;
  sent_ = answered_ = 0;
}

void ToyProcessor::answer(const ToyMessage& message) {
  SIM_CHECK(message.when >= ran_to_, "an answer is news of a past edge");
  answers_[message.from].push(message);
  wake(message.when);
}

void ToyProcessor::credit(Femtoseconds when) {
  SIM_CHECK(when >= ran_to_, "a credit is news of a past edge");
  credits_.give_back(when);
  wake(when);
}

Femtoseconds ToyProcessor::edge(Femtoseconds now) {
  Femtoseconds next_answer = never;
  for (auto& answers : answers_) {
    for (; answers.ready(now); answers.pop()) {
      record(now, answers.front().value);
      ++answered_;
      last_progress_ = now;
      if (answers.front().value % 3 == 0) busy_until_ = std::max(busy_until_, now + 5 * clk->period());
    }
    next_answer = std::min(next_answer, answers.next_time());
  }
  if (left_ != 0 && busy_until_ <= now && credits_.available(now)) {
    credits_.take();
    const auto value = static_cast<std::uint32_t>(random_());
    network_.arbiters[network_.arbiter_of(index_)]->request(index_, {now + network_.spec.request, index_, value});
    record(now, value);
    --left_;
    ++sent_;
    last_progress_ = now;
    busy_until_ = now + (1 + value % 9) * clk->period() + (value % 31 == 0 ? 200 * clk->period() : 0);
  }
  const Femtoseconds to_send = left_ == 0 ? never : credits_.available(now) ? busy_until_ : credits_.next_return();
  return std::min(next_answer, to_send);
}

Femtoseconds ToyProcessor::advance_ahead(Femtoseconds now, const Reach& reach) {
  // Credits and answers take the same time, and a credit is back before its answer.
  const auto may_go_on = [&] {
    return network_.go_on && now < reach.furthest &&
           (unanswered() == 0 || now < reach.sent_from + network_.spec.response);
  };
  while (now < reach.horizon || may_go_on()) {
    SIM_CHECK(now >= ran_to_, "a processor was asked to go back");
    ran_to_ = now + 1;
    const Femtoseconds wanted = edge(now);
    if (wanted >= reach.horizon && !may_go_on()) return wanted;
    if (wanted == never) return never;
    now = std::max(edge_at_or_after(wanted, clk->period()), now + clk->period());
  }
  return now;
}

void ToyProcessor::describe_pending(std::vector<std::string>& lines) const {
  if (unanswered() != 0) lines.push_back("waits for " + std::to_string(unanswered()) + " answers");
}

ToyArbiter::ToyArbiter(const sc_core::sc_module_name& name, ToyNetwork& network, unsigned index)
    : ToyUnit(name, network, index) {
  for (unsigned i = 0; i < network.spec.processors; ++i) queues_.emplace_back(network.spec.queue);
  for (unsigned i = 0; i < network.spec.servers; ++i) credits_.emplace_back(network.spec.queue);
}

void ToyArbiter::reset() {
  ToyUnit::reset();
  for (auto& queue : queues_) queue.clear();
  for (auto& credits : credits_) credits.reset();
  turn_ = 0;
}

void ToyArbiter::request(unsigned processor, const ToyMessage& message) {
  queues_[processor].push(message);
  wake(message.when);
}

void ToyArbiter::credit(unsigned server, Femtoseconds when) {
  credits_[server].give_back(when);
  wake(when);
}

Femtoseconds ToyArbiter::advance(Femtoseconds now, Femtoseconds) {
  Femtoseconds next = never;
  bool sent = false;
  const std::size_t first = turn_;
  for (std::size_t k = 0; k < queues_.size(); ++k) {
    const std::size_t i = (first + k) % queues_.size();
    auto& queue = queues_[i];
    if (!sent && queue.ready(now) && credits_[network_.server_of(queue.front().value)].available(now)) {
      ToyMessage message = queue.front();
      const unsigned server = network_.server_of(message.value);
      queue.pop();
      credits_[server].take();
      message.when = now + network_.spec.arbiter_to_server;
      network_.send_down(index_, server, message.when,
                         [to = network_.servers[server].get(), from = index_, message] { to->request(from, message); });
      network_.processors[i]->credit(now + network_.spec.response);
      record(now, message.value);
      turn_ = (i + 1) % queues_.size();
      sent = true;
    }
    if (queue.empty()) continue;
    auto& credits = credits_[network_.server_of(queue.front().value)];
    next = std::min(next, credits.available(now) ? queue.next_time() : credits.next_return());
  }
  return next;
}

void ToyArbiter::describe_pending(std::vector<std::string>& lines) const {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (!queues_[i].empty()) lines.push_back(std::to_string(queues_[i].size()) + " requests of " + std::to_string(i));
  }
}

ToyServer::ToyServer(const sc_core::sc_module_name& name, ToyNetwork& network, unsigned index)
    : ToyUnit(name, network, index) {
  for (unsigned i = 0; i < network.spec.arbiters; ++i) queues_.emplace_back(network.spec.queue);
}

void ToyServer::reset() {
  ToyUnit::reset();
  for (auto& queue : queues_) queue.clear();
  free_at_ = 0;
  turn_ = 0;
}

void ToyServer::request(unsigned arbiter, const ToyMessage& message) {
  queues_[arbiter].push(message);
  wake(message.when);
}

Femtoseconds ToyServer::advance(Femtoseconds now, Femtoseconds) {
  if (mute) return never;
  for (std::size_t k = 0; k < queues_.size() && free_at_ <= now; ++k) {
    const std::size_t i = (turn_ + k) % queues_.size();
    if (!queues_[i].ready(now)) continue;
    const ToyMessage message = queues_[i].front();
    queues_[i].pop();
    record(now, message.value);
    free_at_ = now + (1 + message.value % 4) * clk->period();
    const auto arbiter = static_cast<unsigned>(i);
    const Femtoseconds free_again = now + network_.spec.arbiter_to_server;
    network_.send_up(index_, arbiter, free_again,
                     [to = network_.arbiters[i].get(), from = index_, free_again] { to->credit(from, free_again); });
    const ToyMessage reply{free_at_ + network_.spec.response, index_, static_cast<std::uint32_t>(digest_)};
    network_.send_up(index_, arbiter, reply.when,
                     [to = network_.processors[message.from].get(), reply] { to->answer(reply); });
    turn_ = (i + 1) % queues_.size();
    break;
  }
  Femtoseconds next = never;
  for (const auto& queue : queues_) next = std::min(next, queue.next_time());
  return next == never ? never : std::max(next, free_at_);
}

void ToyServer::describe_pending(std::vector<std::string>& lines) const {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (!queues_[i].empty())
      lines.push_back(std::to_string(queues_[i].size()) + " requests from arbiter " + std::to_string(i));
  }
}

ToyNetwork::ToyNetwork(const ToySpec& toy_spec, const ToyOptions& options) : spec(toy_spec), go_on(options.go_on) {
  processors.resize(spec.processors);
  arbiters.resize(spec.arbiters);
  servers.resize(spec.servers);
  if (options.threads != 0) {
    build_regions(options);
    return;
  }
  const char* names[] = {"processor_clock", "arbiter_clock", "server_clock"};
  for (unsigned i = 0; i < 3; ++i) {
    domains.push_back(std::make_unique<ClockDomain>(names[i], spec.period[i], options.sleeping));
  }
  build(options);
  std::vector<ClockDomain*> others{domains[1].get(), domains[2].get()};
  if (options.construction_seed % 2 == 1) std::swap(others[0], others[1]);
  island = std::make_unique<Island>("island", *domains[0], others, options.look_ahead);
}

ClockDomain& ToyNetwork::clock(unsigned kind, unsigned index) {
  if (regions.empty()) return *domains[kind];
  if (kind == 0) return *regions[index]->ahead();
  return *regions[kind == 1 ? index : spec.arbiters + index]->others().front();
}

void ToyNetwork::build_regions(const ToyOptions& options) {
  const auto domain = [&](unsigned kind, unsigned region) {
    const std::string name = "clock" + std::to_string(kind) + "_" + std::to_string(region);
    domains.push_back(std::make_unique<ClockDomain>(name.c_str(), spec.period[kind], options.sleeping));
    return domains.back().get();
  };
  for (unsigned i = 0; i < spec.arbiters + spec.servers; ++i) {
    ClockDomain* const ahead = i < spec.arbiters ? domain(0, i) : nullptr;
    regions.push_back(
        std::make_unique<Region>(i, ahead, std::vector<ClockDomain*>{domain(i < spec.arbiters ? 1 : 2, i)}));
  }
  for (unsigned arbiter = 0; arbiter < spec.arbiters; ++arbiter) {
    for (unsigned server = spec.arbiters; server < spec.arbiters + spec.servers; ++server) {
      ways.push_back({&regions[arbiter]->outbox_to(*regions[server]), &regions[server]->outbox_to(*regions[arbiter])});
    }
  }
  build(options);
  std::vector<Region*> all;
  for (const auto& region : regions) all.push_back(region.get());
  island = std::make_unique<Island>("island", all, options.look_ahead, options.threads);
}

/// Modules come into being in an order drawn from the seed: that is also their order within the domains.
void ToyNetwork::build(const ToyOptions& options) {
  std::vector<std::function<void()>> steps;
  for (unsigned i = 0; i < spec.processors; ++i) {
    steps.emplace_back([this, i] {
      processors[i] = std::make_unique<ToyProcessor>(("processor" + std::to_string(i)).c_str(), *this, i);
      processors[i]->clk(clock(0, arbiter_of(i)));
    });
  }
  for (unsigned i = 0; i < spec.arbiters; ++i) {
    steps.emplace_back([this, i] {
      arbiters[i] = std::make_unique<ToyArbiter>(("arbiter" + std::to_string(i)).c_str(), *this, i);
      arbiters[i]->clk(clock(1, i));
    });
  }
  for (unsigned i = 0; i < spec.servers; ++i) {
    steps.emplace_back([this, i] {
      servers[i] = std::make_unique<ToyServer>(("server" + std::to_string(i)).c_str(), *this, i);
      servers[i]->clk(clock(2, i));
    });
  }
  std::shuffle(steps.begin(), steps.end(), std::mt19937(options.construction_seed));
  for (const auto& step : steps) step();
}

RunResult ToyNetwork::launch(const RunRequest& extra) {
  Simulation::begin_launch(*island);
  for (auto& unit : processors) unit->reset();
  for (auto& unit : arbiters) unit->reset();
  for (auto& unit : servers) unit->reset();
  RunRequest request = extra;
  request.work_left = [this] {
    return !std::all_of(processors.begin(), processors.end(), [](const auto& unit) { return unit->done(); });
  };
  if (request.stuck_after != never && !request.last_progress) {
    request.last_progress = [this] {
      Femtoseconds last = 0;
      for (const auto& unit : processors) last = std::max(last, unit->last_progress());
      return last;
    };
  }
  return Simulation::run(*island, request);
}

std::uint64_t ToyNetwork::digest() const {
  std::uint64_t hash = 0;
  for (const auto& unit : processors) hash = mix(hash, unit->digest());
  for (const auto& unit : arbiters) hash = mix(hash, unit->digest());
  for (const auto& unit : servers) hash = mix(hash, unit->digest());
  return hash;
}

std::uint64_t toy_digest(const ToySpec& spec, const ToyOptions& options) {
  const SystemCContext context;
  ToyNetwork network(spec, options);
  std::uint64_t hash = 0;
  for (unsigned i = 0; i < options.launches; ++i) {
    const RunResult result = network.launch();
    SIM_CHECK(result.end == RunEnd::finished, "the toy network did not finish");
    hash = mix(hash, network.digest());
  }
  return hash;
}

}  // namespace teslasim::testing
