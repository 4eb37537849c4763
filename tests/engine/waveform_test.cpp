// SPDX-License-Identifier: Apache-2.0
// Waveforms: what SystemC's tracer writes of modules that know nothing of it but their values.
#include "sim/engine/waveform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/engine/clock_port.h"
#include "sim/engine/simulation.h"
#include "tests/support/places.h"
#include "tests/support/systemc_context.h"

namespace teslasim::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Counted {
  std::uint64_t edges = 0;
};
constexpr std::array counted_rows{
    Signal<Counted>{"edges", 8, [](const Counted& part, std::uint64_t) { return part.edges; }},
    Signal<Counted>{"odd", 1, [](const Counted&, std::uint64_t now) { return now % 2; }},
};

/// Inside another module and without a clock of its own.
class Dial final : public TracedModule {
 public:
  Dial(const sc_core::sc_module_name& name, const Counted& part) : TracedModule(name) {
    show(part, std::span<const Signal<Counted>>(counted_rows));
  }
};

class Unit final : public TracedModule, public Clocked {
 public:
  explicit Unit(const sc_core::sc_module_name& name) : TracedModule(name) {}
  ClockPort clk{"clk"};
  void end_of_elaboration() override { clk.subscribe(*this, name()); }
  Femtoseconds advance(Femtoseconds now, Femtoseconds) override {
    ++counted.edges;
    constexpr Femtoseconds period = 1000;
    return now < 5 * period ? now + period : never;
  }
  Counted counted;
  Dial dial{"dial", counted};
};

class WaveformOfAUnit : public ::testing::Test {
 protected:
  void begin(std::uint64_t most_bytes, Waveform::Window window) {
    Simulation::begin_launch(island_);
    waveform_.emplace(file_, most_bytes, " a comment");
    waveform_->show_in(std::move(window));
    waveform_->add(clock_, clock_);
    waveform_->add(clock_, unit_);
  }
  void run() {
    RunRequest request;
    request.work_left = [] { return false; };
    Simulation::run(island_, request);
  }
  [[nodiscard]] std::string text() const {
    std::ifstream in(file_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string file_ = std::string(TESLASIM_BINARY_DIR) + "/" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name() + std::to_string(getpid()) +
                      ".vcd";
  SystemCContext context_;
  ClockDomain clock_{"clock", 1000, Sleeping::off};
  Unit unit_{"unit"};
  Island island_{"island", clock_, {}, 0};
  std::optional<Waveform> waveform_;

  WaveformOfAUnit() { unit_.clk(clock_); }
};

TEST_F(WaveformOfAUnit, has_every_edge_at_its_own_time) {
  begin(1'000'000, [](Femtoseconds) { return true; });
  run();
  waveform_->close();
  for (const char* part : {"a comment", "1 fs", "$scope module unit $end", "$scope module dial $end", "edges [7:0]",
                           "#1000\n", "#5000\n"}) {
    EXPECT_THAT(text(), HasSubstr(part));
  }
  EXPECT_EQ(waveform_->changes(), 6U + 6U + 6U);  // cycle, edges, odd
  EXPECT_EQ(waveform_->dropped(), 0U);
}

TEST_F(WaveformOfAUnit, shows_nothing_outside_its_window) {
  begin(1'000'000, [](Femtoseconds now) { return now >= 2000 && now < 4000; });
  run();
  waveform_->close();
  EXPECT_THAT(text(), Not(HasSubstr("#1000\n")));
  EXPECT_THAT(text(), HasSubstr("#2000\nb10 "));
  EXPECT_THAT(text(), HasSubstr("#4000\nbx "));
  EXPECT_EQ(waveform_->changes(), 3U * 3U);
}

TEST_F(WaveformOfAUnit, counts_what_finds_it_full) {
  begin(0, [](Femtoseconds) { return true; });
  run();
  waveform_->close();
  EXPECT_EQ(waveform_->changes(), 0U);
  EXPECT_EQ(waveform_->dropped(), 6U);
}

TEST_F(WaveformOfAUnit, leaves_no_file_behind_and_does_not_mind_a_run_that_did_not_begin) {
  begin(1'000'000, [](Femtoseconds) { return true; });
  EXPECT_TRUE(std::filesystem::exists(file_));
  waveform_.reset();
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(WaveformOfAUnit, says_where_it_cannot_be_written) {
  EXPECT_THROW(Waveform("/nowhere/at/all.vcd", 1, ""), InputError);
}

TEST(TracedModuleOfNothing, refuses_signals_that_are_too_wide_to_be_unknown) {
  SystemCContext context;
  class Wide final : public TracedModule {
   public:
    explicit Wide(const sc_core::sc_module_name& name) : TracedModule(name) {
      show("wide", 64, [](std::uint64_t) { return std::uint64_t{0}; });
    }
  };
  EXPECT_THROW(Wide("wide"), InternalError);
}

}  // namespace
}  // namespace teslasim::testing
