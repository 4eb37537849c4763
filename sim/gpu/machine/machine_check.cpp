// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/machine/machine_check.h"

#include "memory/dram/dram_timing.h"
#include "memory/texture/texture_l2.h"
#include "sim/base/clock_time.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>

namespace teslasim {

namespace {

constexpr double derived_tolerance = 1e-3;

/// Collects findings; each is placed where the last of the keys concerned was set.
class Findings {
 public:
  explicit Findings(const LoadedConfig& config) : config_(config) {}

  void add(Diagnostic::Severity severity, std::initializer_list<const char*> keys, std::string sentence,
           std::string help = {}) {
    Diagnostic finding;
    finding.severity = severity;
    finding.code = "CFG-CROSS";
    finding.message = std::move(sentence);
    finding.help = std::move(help);
    if (const Setting* setting = last_set(keys)) {
      finding.where = setting->where;
      finding.excerpt = setting->excerpt;
    }
    found_.push_back(std::move(finding));
  }

  void require(bool holds, std::initializer_list<const char*> keys, std::string sentence) {
    if (!holds) add(Diagnostic::Severity::error, keys, std::move(sentence));
  }

  [[nodiscard]] std::vector<Diagnostic> take() { return std::move(found_); }

 private:
  [[nodiscard]] const Setting* last_set(std::initializer_list<const char*> keys) const {
    const Setting* last = nullptr;
    for (const char* key : keys) {
      const auto setting = config_.settings.find(key);
      if (setting == config_.settings.end()) continue;
      if (last == nullptr || setting->second.layer > last->layer) last = &setting->second;
    }
    return last;
  }

  const LoadedConfig& config_;
  std::vector<Diagnostic> found_;
};

void check_allocation(const MachineSpec& spec, Findings& findings) {
  const SmSpec& sm = spec.sm;
  findings.require(sm.registers % sm.register_alloc_unit == 0, {"sm.registers", "sm.register_alloc_unit"},
                   fmt::format("the {} registers of an SM are not a multiple of the allocation unit of {}",
                               sm.registers, sm.register_alloc_unit));
  findings.require(sm.shared.bytes % sm.shared.alloc_unit_bytes == 0, {"sm.shared.bytes", "sm.shared.alloc_unit_bytes"},
                   fmt::format("the {} bytes of shared memory are not a multiple of the allocation unit of {}",
                               sm.shared.bytes, sm.shared.alloc_unit_bytes));
  // With other than a power of two of banks, as in the what-if of Zhang & Owens 2011, the last row is not full.
  const unsigned row =
      std::has_single_bit(sm.shared.banks) ? sm.shared.banks * sm.shared.bank_width_bytes : sm.shared.bank_width_bytes;
  findings.require(sm.shared.bytes % row == 0, {"sm.shared.bytes", "sm.shared.banks", "sm.shared.bank_width_bytes"},
                   fmt::format("the {} bytes of shared memory are not a multiple of {} banks of {} bytes",
                               sm.shared.bytes, sm.shared.banks, sm.shared.bank_width_bytes));
}

void check_instruction_set(const MachineSpec& spec, Findings& findings) {
  findings.require(
      spec.sm.dp_units == 0 || spec.arch == "sm_13", {"sm.dp_units", "arch"},
      fmt::format("an {} machine has no double precision, yet 'sm.dp_units' is {}", spec.arch, spec.sm.dp_units));
  const bool strict_level = spec.sm_level() < 12;
  const char* usual = strict_level ? "cc10" : "cc12";
  if (spec.coalescing.rules != usual) {
    findings.add(Diagnostic::Severity::warning, {"coalescing.rules", "arch"},
                 fmt::format("{} hardware coalesces by the rules '{}', this machine by '{}'", spec.arch, usual,
                             spec.coalescing.rules));
  }
}

void check_cache(const CacheGeometry& cache, const std::string& section, Findings& findings,
                 const char* size = "bytes") {
  const std::string bytes = section + "." + size, ways = section + ".ways", line = section + ".line_bytes";
  findings.require(cache.bytes == 0 || cache.whole(), {bytes.c_str(), ways.c_str(), line.c_str()},
                   fmt::format("the {} bytes of '{}' are not a multiple of {} ways of {} bytes", cache.bytes, section,
                               cache.ways, cache.line_bytes));
}

/// A line that a level asks the next one for must lie in one line there.
void check_line(const char* upper, unsigned upper_bytes, const char* lower, unsigned lower_bytes, Findings& findings) {
  const std::string up = std::string(upper) + ".line_bytes", down = std::string(lower) + ".line_bytes";
  findings.require(upper_bytes <= lower_bytes, {up.c_str(), down.c_str()},
                   fmt::format("a line of '{}' has {} bytes, more than the {} of the next level, '{}'", upper,
                               upper_bytes, lower_bytes, lower));
}

void check_caches(const MachineSpec& spec, Findings& findings) {
  check_cache(spec.sm.icache.geometry(), "sm.icache", findings);
  check_cache(spec.sm.const_cache.geometry(), "sm.const_cache", findings);
  check_cache(spec.const_l2.geometry(), "const_l2", findings);
  check_cache(spec.const_l3.geometry(), "const_l3", findings);
  check_line("sm.icache", spec.sm.icache.line_bytes, "const_l2", spec.const_l2.line_bytes, findings);
  check_line("sm.const_cache", spec.sm.const_cache.line_bytes, "const_l2", spec.const_l2.line_bytes, findings);
  check_line("const_l2", spec.const_l2.line_bytes, "const_l3", spec.const_l3.line_bytes, findings);
  check_cache(spec.tpc.texture_cache.geometry(), "tpc.texture_cache", findings, "bytes_per_sm");
  findings.require(spec.tpc.texture_cache.linear_ways <= spec.tpc.texture_cache.ways,
                   {"tpc.texture_cache.linear_ways", "tpc.texture_cache.ways"},
                   fmt::format("{} ways for linear images are more than the {} of 'tpc.texture_cache'",
                               spec.tpc.texture_cache.linear_ways, spec.tpc.texture_cache.ways));
  check_cache(spec.texture_l2.geometry(), "texture_l2", findings);
  check_line("tpc.texture_cache", spec.tpc.texture_cache.line_bytes, "texture_l2", spec.texture_l2.line_bytes,
             findings);
  findings.require(spec.texture_l2.line_bytes <= spec.dram.interleave_bytes,
                   {"texture_l2.line_bytes", "dram.interleave_bytes"},
                   fmt::format("a line of 'texture_l2' has {} bytes, but only {} consecutive bytes lie in a partition",
                               spec.texture_l2.line_bytes, spec.dram.interleave_bytes));
  const unsigned line_reads = (spec.texture_l2.line_bytes + TextureL2::read_bytes - 1) / TextureL2::read_bytes;
  findings.require(line_reads <= spec.dram.queue, {"texture_l2.line_bytes", "dram.queue"},
                   fmt::format("a line of 'texture_l2' needs {} reads, but 'dram.queue' has {} places", line_reads,
                               spec.dram.queue));
  findings.require(spec.sm.icache.fetch_block_bytes <= spec.sm.icache.line_bytes,
                   {"sm.icache.fetch_block_bytes", "sm.icache.line_bytes"},
                   fmt::format("a fetch block of {} bytes does not lie in a line of {}",
                               spec.sm.icache.fetch_block_bytes, spec.sm.icache.line_bytes));
}

void check_latencies(const MachineSpec& spec, Findings& findings) {
  constexpr double ns_per_us = 1000.0;
  const double sm_cycle_ns = double{sp_cycles_per_sm_cycle} * ns_per_us / spec.clock.shader_mhz;
  findings.require(
      spec.tpc.response_ns >= sm_cycle_ns, {"tpc.response_ns", "clock.shader_mhz"},
      fmt::format("'tpc.response_ns' is {} ns, less than one SM cycle ({:.3f} ns)", spec.tpc.response_ns, sm_cycle_ns));
  findings.require(
      spec.tpc.credit_ns >= sm_cycle_ns, {"tpc.credit_ns", "clock.shader_mhz"},
      fmt::format("'tpc.credit_ns' is {} ns, less than one SM cycle ({:.3f} ns)", spec.tpc.credit_ns, sm_cycle_ns));
  findings.require(spec.const_l2.response_ns >= sm_cycle_ns, {"const_l2.response_ns", "clock.shader_mhz"},
                   fmt::format("'const_l2.response_ns' is {} ns, less than one SM cycle ({:.3f} ns)",
                               spec.const_l2.response_ns, sm_cycle_ns));
}

/// The memory must find time between two refreshes to open a row and to use it. A refresh closes all rows: it waits
/// until a row opened just before may be closed, and the next refresh is due regardless.
void check_refresh(const MachineSpec& spec, Findings& findings) {
  constexpr unsigned any_width = 1;
  const DramTiming timing(spec.dram.timing, any_width, period_of_mhz(spec.clock.memory_mhz));
  const MemoryCycle until_open = std::max(
      {timing.activate_to_precharge + timing.precharge + timing.refresh, timing.activate_gap, timing.four_activates});
  const MemoryCycle needed = until_open + std::max(timing.activate_to_read, timing.activate_to_write) + 1;
  findings.require(
      needed <= timing.refresh_interval,
      {"dram.timing.refresh_ns", "dram.timing.refresh_interval_ns", "dram.timing.precharge_ns",
       "dram.timing.activate_gap_ns", "dram.timing.four_activates_ns", "dram.timing.activate_to_read_ns",
       "dram.timing.activate_to_write_ns", "dram.timing.activate_to_precharge_ns", "clock.memory_mhz"},
      fmt::format(
          "the memory is refreshed every {} memory cycles ('dram.timing.refresh_interval_ns'), but to close rows, "
          "to refresh them and to open one again takes {} ('refresh_ns' and other times of 'dram.timing')",
          timing.refresh_interval.count(), needed.count()));
}

/// A figure of [derived], what follows from the other keys, and which these are.
struct Figure {
  const char* key;
  const char* unit;
  double* stated;
  double computed;
  std::initializer_list<const char*> inputs;
};

std::size_t last_layer(const LoadedConfig& config, std::initializer_list<const char*> keys) {
  std::size_t last = 0;
  for (const char* key : keys) {
    const auto setting = config.settings.find(key);
    if (setting != config.settings.end()) last = std::max(last, setting->second.layer);
  }
  return last;
}

/// True when the figure was stated with full knowledge of its inputs, so that a difference is a mistake.
bool is_claim(const LoadedConfig& config, const Figure& figure) {
  const auto setting = config.settings.find(figure.key);
  return setting != config.settings.end() && setting->second.layer >= last_layer(config, figure.inputs);
}

double peak_gbs_dram(const MachineSpec& spec) {
  constexpr double bits_per_byte = 8.0;
  constexpr double transfers_per_clock = 2.0;
  constexpr double mb_per_gb = 1000.0;
  return spec.dram.partitions * (spec.dram.bus_width_bits_per_partition / bits_per_byte) * transfers_per_clock *
         spec.clock.memory_mhz / mb_per_gb;
}

double peak_gflops(const MachineSpec& spec, double operations) {
  constexpr double mhz_per_ghz = 1000.0;
  return spec.sms() * spec.sm.sp_lanes * operations * spec.clock.shader_mhz / mhz_per_ghz;
}

}  // namespace

std::vector<Diagnostic> check_machine(const MachineSpec& spec, const LoadedConfig& config) {
  Findings findings(config);
  check_allocation(spec, findings);
  check_instruction_set(spec, findings);
  check_latencies(spec, findings);
  check_caches(spec, findings);
  check_refresh(spec, findings);
  return findings.take();
}

std::vector<Diagnostic> settle_derived(MachineSpec& spec, LoadedConfig& config) {
  constexpr double mad_operations = 2.0;
  constexpr double mad_and_mul_operations = 3.0;
  const auto compute_inputs = {"gpu.tpcs", "gpu.sms_per_tpc", "sm.sp_lanes", "clock.shader_mhz"};
  const auto memory_inputs = {"dram.partitions", "dram.bus_width_bits_per_partition", "clock.memory_mhz"};
  const std::array figures{
      Figure{"derived.peak_gbs_dram", "GB/s", &spec.derived.peak_gbs_dram, peak_gbs_dram(spec), memory_inputs},
      Figure{"derived.peak_gflops_mad", "GFLOP/s", &spec.derived.peak_gflops_mad, peak_gflops(spec, mad_operations),
             compute_inputs},
      Figure{"derived.peak_gflops_mad_mul", "GFLOP/s", &spec.derived.peak_gflops_mad_mul,
             peak_gflops(spec, mad_and_mul_operations), compute_inputs},
  };
  Findings findings(config);
  for (const Figure& figure : figures) {
    if (!is_claim(config, figure)) {
      *figure.stated = figure.computed;
      Setting& setting = config.settings[figure.key];
      setting = Setting{};
      setting.origin = "computed";
      setting.source = "follows from the other keys";
    } else if (std::abs(*figure.stated - figure.computed) > derived_tolerance * figure.computed) {
      findings.add(Diagnostic::Severity::error, {figure.key},
                   fmt::format("'{}' says {} {}, but the other keys give {:.2f}", figure.key, *figure.stated,
                               figure.unit, figure.computed),
                   fmt::format("correct the figure or one of {}", fmt::join(figure.inputs, ", ")));
    }
  }
  return findings.take();
}

}  // namespace teslasim
