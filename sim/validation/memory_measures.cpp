// SPDX-License-Identifier: Apache-2.0
// Device memory: latency of chases, address translation, loads in flight, coalescing, partitions, bandwidth.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/validation/chases.h"
#include "sim/validation/measure.h"

namespace teslasim {
namespace {

constexpr double step_share = Chases::step_share;
constexpr std::int64_t kilobyte = 1024;
constexpr unsigned threads_of_warp = 32;

double in_unit(double sp_cycles, const MicroMachine& machine, const MeasureArguments& arguments) {
  return arguments.text("in") == "ns" ? sp_cycles * 1000.0 / machine.spec().clock.shader_mhz : sp_cycles;
}

MeasuredValue chase(MicroMachine& machine, const MeasureArguments& arguments) {
  const std::int64_t bytes = arguments.number("kb", 64) * kilobyte, stride = arguments.number("stride", 128);
  Chases chases(machine, bytes);
  return in_unit(chases.latency(std::max<std::int64_t>(bytes / stride, 1), stride), machine, arguments);
}

/// The levels of latency of chases that touch 1, 2, 4, ... pages once each, lowest first.
std::vector<double> plateaus(MicroMachine& machine, std::int64_t page) {
  constexpr std::int64_t most_pages = 1024;
  Chases chases(machine, most_pages * page);
  std::vector<double> levels;
  double before = 0.0;
  for (std::int64_t pages = 2; pages <= most_pages; pages *= 2) {
    const double now = chases.latency(pages, page);
    const bool flat = before != 0.0 && std::fabs(now - before) < (step_share - 1.0) * before;
    if (flat && (levels.empty() || now > step_share * levels.back())) levels.push_back(now);
    before = now;
  }
  return levels;
}

MeasuredValue plateau(MicroMachine& machine, const MeasureArguments& arguments) {
  const std::vector<double> levels = plateaus(machine, arguments.number("page_kb", 64) * kilobyte);
  const auto wanted = static_cast<std::size_t>(arguments.number("level", 1));
  if (levels.size() < wanted)
    throw CannotMeasure("the latency has " + std::to_string(levels.size()) + " plateaus by footprint");
  return in_unit(levels[wanted - 1], machine, arguments);
}

MeasuredValue tlb_levels(MicroMachine& machine, const MeasureArguments& arguments) {
  return static_cast<double>(plateaus(machine, arguments.number("page_kb", 64) * kilobyte).size()) - 1.0;
}

/// The slowest or fastest load of all chases.
MeasuredValue extreme_latency(MicroMachine& machine, const MeasureArguments& arguments) {
  const std::vector<double> levels = plateaus(machine, arguments.number("page_kb", 64) * kilobyte);
  if (levels.empty()) throw CannotMeasure("the latency has no plateau");
  return in_unit(arguments.text("which") == "most" ? levels.back() : levels.front(), machine, arguments);
}

/// The stride from which on twice as many words as the first TLB has entries need more translations than it holds.
MeasuredValue page_size(MicroMachine& machine, const MeasureArguments& arguments) {
  const std::int64_t entries = arguments.number("entries", 16);
  constexpr std::int64_t least = 1, most = 1024;
  Chases chases(machine, 2 * entries * most * kilobyte);
  const double base = chases.latency(2 * entries, least * kilobyte / 2);
  for (std::int64_t kb = least; kb <= most; kb *= 2) {
    if (chases.latency(2 * entries, kb * kilobyte) > step_share * base) return static_cast<double>(kb);
  }
  throw CannotMeasure("the latency does not depend on the number of pages: no TLB is simulated");
}

/// The most pages whose translations stay in the first TLB.
MeasuredValue tlb_entries(MicroMachine& machine, const MeasureArguments& arguments) {
  const std::int64_t page = arguments.number("page_kb", 64) * kilobyte;
  constexpr std::int64_t most = 64;
  Chases chases(machine, most * page);
  const double base = chases.latency(2, page);
  for (std::int64_t pages = 3; pages <= most; ++pages) {
    if (chases.latency(pages, page) > step_share * base) return static_cast<double>(pages - 1);
  }
  throw CannotMeasure("the latency does not depend on the number of pages: no TLB is simulated");
}

/// The most loads of one thread that do not wait for each other.
MeasuredValue loads_in_flight(MicroMachine& machine, const MeasureArguments&) {
  constexpr std::int64_t most = 10;
  constexpr std::uint64_t bytes = 2 * most * 2048;
  const std::array data{static_cast<std::uint32_t>(machine.allocate(bytes))};
  const auto time = [&](std::int64_t loads) {
    return clock_span(machine.run({"global", "in_flight", "loads", {{"LOADS", loads}, {"PASSES", 2}}}, {1, 1}, data));
  };
  const double alone = time(1);
  double before = alone;
  for (std::int64_t loads = 2; loads <= most; ++loads) {
    const double now = time(loads);
    if (now - before > alone / 2.0) return static_cast<double>(loads - 1);
    before = now;
  }
  throw CannotMeasure("ten loads of one thread do not wait for each other");
}

/// One launch of a copy kernel over fresh buffers. Reads alone begin another `read_offset` bytes further.
MicroRun copy(MicroMachine& machine, const std::string& step, Shape shape, std::int64_t stride, std::int64_t offset,
              std::int64_t read_offset = 0) {
  const auto bytes = static_cast<std::uint64_t>(shape.blocks * shape.threads * stride + offset + read_offset + 256);
  const std::array arguments{
      static_cast<std::uint32_t>(machine.allocate(bytes)) + static_cast<std::uint32_t>(read_offset),
      static_cast<std::uint32_t>(machine.allocate(bytes)), static_cast<std::uint32_t>(stride),
      static_cast<std::uint32_t>(offset)};
  return machine.run({"global", "copy", step}, shape, arguments);
}

/// Transactions of a half-warp, or the bytes of each.
MeasuredValue transactions(MicroMachine& machine, const MeasureArguments& arguments) {
  const MicroRun run = copy(machine, arguments.text("step", "read_b32"), {1, threads_of_warp},
                            arguments.number("stride", 4), arguments.number("offset", 0));
  const CoalescingStatistics& memory = run.statistics.global;
  const auto count = static_cast<double>(memory.transactions_32 + memory.transactions_64 + memory.transactions_128);
  const double size = static_cast<double>(memory.bytes) / count;
  if (arguments.text("as") == "bytes") return size;
  if (arguments.has("bytes") && size != static_cast<double>(arguments.number("bytes", 0)))
    throw CannotMeasure("the transactions have " + std::to_string(static_cast<int>(size)) + " bytes on average");
  return count / static_cast<double>(memory.requests_half_warp);
}

/// Bytes from one partition to the next, found by single loads.
MeasuredValue interleave(MicroMachine& machine, const MeasureArguments&) {
  constexpr std::uint32_t granule = 32, most = 8192;
  const std::uint32_t data = static_cast<std::uint32_t>((machine.allocate(2 * most) + most - 1) / most * most);
  const auto partition_of = [&](std::uint32_t offset) {
    machine.words(data + offset, 1).front() = data + offset;
    const std::array first{data + offset};
    const MicroRun run = machine.run({"global", "chase", "pointer", {{"COUNT", 16}, {"PASSES", 8}}}, {1, 1}, first);
    const auto& partitions = run.statistics.partitions;
    return std::max_element(partitions.begin(), partitions.end(),
                            [](const auto& a, const auto& b) { return a.read_transactions < b.read_transactions; }) -
           partitions.begin();
  };
  const auto home = partition_of(0);
  for (std::uint32_t offset = granule; offset < most; offset += granule) {
    if (partition_of(offset) != home) return static_cast<double>(offset);
  }
  throw CannotMeasure("8 KB lie in one partition");
}

double gbs(double bytes, const MicroRun& run) {
  return bytes / (static_cast<double>(run.statistics.duration) * 1e-6);
}

/// GB/s read and written by a copy of words, as measured by BPG's offsetCopy and strideCopy.
double copy_bandwidth(MicroMachine& machine, const MeasureArguments& arguments, std::int64_t offset) {
  constexpr unsigned threads = 256;
  constexpr double word = 4.0;
  const Shape shape{static_cast<unsigned>(arguments.number("blocks", 1200)), threads};
  const MicroRun run = copy(machine, "words", shape, 4 * arguments.number("stride", 1), 4 * offset,
                            4 * arguments.number("read_offset", 0));
  return gbs(2.0 * word * shape.blocks * shape.threads, run);
}

MeasuredValue bandwidth(MicroMachine& machine, const MeasureArguments& arguments) {
  const double value = copy_bandwidth(machine, arguments, arguments.number("offset", 0));
  if (arguments.text("as") == "share") return value / machine.spec().derived.peak_gbs_dram;
  if (arguments.has("over_offset"))
    return value / copy_bandwidth(machine, arguments, arguments.number("over_offset", 1));
  return value;
}

/// GB/s of `blocks` blocks that read `loads` words per thread and round.
double stream(MicroMachine& machine, const MeasureArguments& arguments, unsigned blocks) {
  const auto threads = static_cast<unsigned>(arguments.number("threads", 256));
  const std::int64_t loads = arguments.number("loads", 4), rounds = arguments.number("rounds", 8);
  const std::uint64_t round = std::uint64_t{4} * blocks * threads;
  const std::uint64_t bytes = round * static_cast<std::uint64_t>(loads * rounds);
  const std::array data{static_cast<std::uint32_t>(machine.allocate(bytes)), static_cast<std::uint32_t>(round)};
  const MicroRun run =
      machine.run({"global", "stream", "reads", {{"LOADS", loads}, {"PASSES", rounds}}}, {blocks, threads}, data);
  return gbs(static_cast<double>(bytes), run);
}

MeasuredValue stream_bandwidth(MicroMachine& machine, const MeasureArguments& arguments) {
  return stream(machine, arguments, static_cast<unsigned>(arguments.number("blocks", 30)));
}

/// GB/s of half-warps that each read from a row of their own of a matrix `width` words wide.
MeasuredValue column_bandwidth(MicroMachine& machine, const MeasureArguments& arguments) {
  constexpr unsigned blocks = 60, threads = 256, words_of_half_warp = 16;
  constexpr std::int64_t loads = 4, rounds = 2;
  const auto pitch = static_cast<std::uint32_t>(4 * arguments.number("width", 512));
  const std::uint64_t rows = blocks * threads / words_of_half_warp;
  const std::array data{static_cast<std::uint32_t>(machine.allocate(rows * pitch + loads * rounds * 64)), pitch};
  const MicroRun run =
      machine.run({"global", "columns", "reads", {{"LOADS", loads}, {"PASSES", rounds}}}, {blocks, threads}, data);
  return gbs(4.0 * loads * rounds * blocks * threads, run);
}

/// SP cycles of a dependent load of each of `threads` threads, whose lanes touch 1 + `mask` words, `spread` bytes
/// apart.
double fan_cycles(MicroMachine& machine, unsigned threads, std::uint32_t mask, std::uint32_t spread) {
  constexpr std::int64_t count = 8, passes = 4;
  const auto data = static_cast<std::uint32_t>(machine.allocate(std::uint64_t{mask + 1} * spread));
  for (std::uint32_t i = 0; i <= mask; ++i) machine.words(data + i * spread, 1).front() = data + i * spread;
  const std::array arguments{data, mask};
  const MicroRun run =
      machine.run({"global", "fan", "pointer", {{"COUNT", count}, {"PASSES", passes}, {"SPREAD", spread}}},
                  {1, threads}, arguments);
  return clock_span(run) / static_cast<double>(count * passes);
}

constexpr std::uint32_t segment = 128, half_warp_mask = 15;

/// What each transaction of a load adds to its latency: one warp, 2 transactions against 32.
MeasuredValue transaction_latency(MicroMachine& machine, const MeasureArguments&) {
  constexpr double further = 30.0;
  return (fan_cycles(machine, threads_of_warp, half_warp_mask, segment) -
          fan_cycles(machine, threads_of_warp, 0, segment)) /
         further;
}

/// How many times longer a full SM takes for loads of 32 segments per warp than for consecutive words.
MeasuredValue divergence_loss(MicroMachine& machine, const MeasureArguments& arguments) {
  constexpr std::uint32_t word = 4;
  const auto lanes = static_cast<std::uint32_t>(arguments.number("words", half_warp_mask + 1));
  const unsigned threads = machine.spec().gpu.max_threads_per_cta;
  return fan_cycles(machine, threads, lanes - 1, segment) / fan_cycles(machine, threads, half_warp_mask, word);
}

/// The period of a saw-tooth: the shift at which the changes from point to point resemble themselves most. A drop that
/// comes back every so many points counts with the square of its size, the rest cancels out.
unsigned period_of_changes(const std::vector<double>& values, unsigned longest) {
  std::vector<double> changes;
  for (std::size_t i = 1; i < values.size(); ++i) changes.push_back(values[i] - values[i - 1]);
  const double mean = (values.back() - values.front()) / static_cast<double>(changes.size());
  unsigned best = 0;
  double most = 0.0, all = 0.0;
  for (double& change : changes) {
    change -= mean;
    all += change * change;
  }
  for (unsigned shift = 2; shift <= longest && shift < changes.size(); ++shift) {
    double sum = 0.0;
    for (std::size_t i = shift; i < changes.size(); ++i) sum += changes[i] * changes[i - shift];
    if (sum > most) {
      most = sum;
      best = shift;
    }
  }
  constexpr double clear_share = 0.3;
  if (most < clear_share * all) throw CannotMeasure("the bandwidth has no period by number of blocks");
  return best;
}

/// Blocks from one tooth of the bandwidth to the next.
MeasuredValue saw_tooth(MicroMachine& machine, const MeasureArguments& arguments) {
  constexpr unsigned longest = 20;
  const auto first = static_cast<unsigned>(arguments.number("first", 21)),
             last = static_cast<unsigned>(arguments.number("last", 62));
  std::vector<double> values;
  for (unsigned blocks = first; blocks <= last; ++blocks) values.push_back(stream(machine, arguments, blocks));
  return static_cast<double>(period_of_changes(values, longest));
}

MeasuredValue linear_bandwidth(MicroMachine& machine, const MeasureArguments& arguments) {
  constexpr unsigned blocks = 8;
  const double ratio = stream(machine, arguments, blocks) / stream(machine, arguments, 1);
  return std::string(std::fabs(ratio / blocks - 1.0) < 0.1 ? "linear" : "not linear");
}

/// GiB/s read and written by a copy or transposition of a square matrix of 64 x 64 tiles of 32 x 32 words, one block
/// each. Ruetsch & Micikevicius divide by 2^30.
MeasuredValue tile_bandwidth(MicroMachine& machine, const MeasureArguments& arguments) {
  constexpr std::uint32_t word = 4, width = 2048;
  constexpr Shape shape{4096, 256};
  constexpr std::uint64_t count = std::uint64_t{width} * width;
  const auto from = static_cast<std::uint32_t>(machine.allocate(word * count)),
             to = static_cast<std::uint32_t>(machine.allocate(word * count));
  const StepRequest request = step_request(arguments);
  const std::array data{from, to, width * word};
  const MicroRun run = machine.run({"transpose", "transpose", request.step, request.parameters}, shape, data);
  constexpr double gigabytes_per_gibibyte = 1.073741824;
  return gbs(2.0 * word * static_cast<double>(count), run) / gigabytes_per_gibibyte;
}

constexpr std::array<Measure, 17> memory_table{{
    {"chase", "clock reads around loads that need the one before", chase},
    {"plateau", "a level of the latency of chases by number of pages", plateau},
    {"tlb_levels", "plateaus of the latency after the first", tlb_levels},
    {"extreme_latency", "the lowest or highest plateau", extreme_latency},
    {"page_size", "stride from which on a chase of 2 x entries words is slower", page_size},
    {"tlb_entries", "pages after which a chase is slower", tlb_entries},
    {"loads_in_flight", "loads of a thread after which one waits for another", loads_in_flight},
    {"transactions", "transactions of a half-warp, from the counters", transactions},
    {"interleave", "bytes after which another partition answers", interleave},
    {"bandwidth", "kernel time of a copy of words", bandwidth},
    {"stream_bandwidth", "kernel time of reads of consecutive words", stream_bandwidth},
    {"column_bandwidth", "kernel time of reads of columns of a matrix", column_bandwidth},
    {"tile_bandwidth", "kernel time of copies and transpositions by tiles", tile_bandwidth},
    {"transaction_latency", "clock reads around loads of one warp with 2 and with 32 transactions",
     transaction_latency},
    {"divergence_loss", "the same of a full SM with scattered and with consecutive words", divergence_loss},
    {"saw_tooth", "period in the bandwidth by number of blocks", saw_tooth},
    {"linear_bandwidth", "bandwidth of eight blocks and of one", linear_bandwidth},
}};

}  // namespace

std::span<const Measure> memory_measures() {
  return memory_table;
}

}  // namespace teslasim
