// SPDX-License-Identifier: Apache-2.0
#include "sim/run/block_choice.h"

#include <fmt/format.h>

#include "sim/base/diagnostic.h"
#include "sim/run/usage_error.h"

namespace teslasim {
namespace {

class ChosenStream final : public WarpStream {
 public:
  ChosenStream(std::unique_ptr<WarpStream> inner, const ChosenBlocks& chosen)
      : inner_(std::move(inner)), chosen_(chosen) {}

  void start_block(unsigned block_slot, BlockIndex block, WarpSlot first_warp) override {
    inner_->start_block(block_slot, chosen_.at(block), first_warp);
  }
  void finish_block(unsigned block_slot) override { inner_->finish_block(block_slot); }
  const Instruction* next(WarpSlot warp) override { return inner_->next(warp); }
  [[nodiscard]] bool passes_guard(WarpSlot warp) const override { return inner_->passes_guard(warp); }
  [[nodiscard]] LaneMask active(WarpSlot warp) const override { return inner_->active(warp); }
  void issue(WarpSlot warp, std::uint64_t clock, WarpInst& out) override { inner_->issue(warp, clock, out); }
  void complete(WarpSlot warp, MemoryAccess& access) override { inner_->complete(warp, access); }
  void release(MemoryAccess& access) override { inner_->release(access); }

 private:
  std::unique_ptr<WarpStream> inner_;
  const ChosenBlocks& chosen_;
};

[[noreturn]] void refuse(const TraceReader& trace, std::string code, std::string message, std::string help) {
  Diagnostic problem;
  problem.code = std::move(code);
  problem.message = std::move(message);
  problem.where.file = trace.path();
  problem.help = std::move(help);
  throw InputError(ExitCode::input, std::move(problem));
}

/// The blocks of a launch that a trace has and the request wants; every one of them must have all its warps.
ChosenBlocks blocks_in_trace(const TraceReader& trace, std::uint32_t launch, const LaunchSpec& spec,
                             const TraceSelection& wanted) {
  const unsigned warps = (spec.threads_per_block() + warp_size - 1) / warp_size;
  ChosenBlocks blocks;
  unsigned found = 0;
  const auto check = [&] {
    if (blocks.empty() || found == warps) return;
    refuse(
        trace, "TRACE-WARPS",
        fmt::format("block {} of launch {} has {} of its {} warps in the trace", blocks.back(), launch, found, warps),
        "a cut by warps can be looked into, not replayed: cut by blocks instead");
  };
  std::uint32_t last_warp = 0;
  for (const std::uint32_t position : trace.in_warp_order(launch)) {
    const SegmentInfo& segment = trace.segments()[position];
    if (!wanted.contains(segment)) continue;
    if (blocks.empty() || blocks.back() != segment.block) {
      check();
      blocks.push_back(segment.block);
      found = 0;
    }
    if (found == 0 || segment.warp != last_warp) ++found;
    last_warp = segment.warp;
  }
  check();
  return blocks;
}

ChosenBlocks blocks_in_grid(const LaunchSpec& spec, const NumberRanges& wanted) {
  ChosenBlocks blocks;
  for (BlockIndex block = 0; block < spec.blocks(); ++block) {
    if (wanted.contains(block)) blocks.push_back(block);
  }
  return blocks;
}

}  // namespace

NumberRanges parse_ranges(std::string_view option, const std::string& text) {
  NumberRanges result;
  const auto number = [&](const std::string& part) -> std::uint64_t {
    const bool hexadecimal = part.starts_with("0x");
    const std::string digits = hexadecimal ? part.substr(2) : part;
    const char* const allowed = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
    if (digits.empty() || digits.size() > 15 || digits.find_first_not_of(allowed) != std::string::npos)
      usage_error("CLI-VALUE", fmt::format("--{} takes numbers and ranges, got '{}'", option, text),
                  fmt::format("for example --{} 0-3,7", option));
    return std::stoull(digits, nullptr, hexadecimal ? 16 : 10);
  };
  for (std::size_t at = 0; !text.empty() && at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, comma - at);
    const std::size_t dash = part.find('-');
    const std::uint64_t first = number(part.substr(0, dash));
    const std::uint64_t last = dash == std::string::npos ? first : number(part.substr(dash + 1));
    if (last < first) usage_error("CLI-VALUE", fmt::format("--{}: the range '{}' ends before it begins", option, part));
    result.ranges.push_back({first, last});
    at = comma + 1;
  }
  return result;
}

std::vector<ChosenBlocks> choose_blocks(const BlockRequest& request, const Workload& workload,
                                        const TraceReader* trace) {
  TraceSelection wanted;
  wanted.blocks = parse_ranges("blocks", request.blocks);
  wanted.sms = parse_ranges("sms", request.sms);
  if (trace == nullptr && !wanted.sms.all())
    usage_error("CLI-VALUE", "--sms chooses the blocks that ran on some SMs, which only a trace knows",
                "record with --mode timing, then run the trace with --sms; or choose with --blocks");
  if (trace != nullptr && trace->truncated())
    refuse(*trace, "TRACE-TRUNCATED", "the trace is truncated: its writer did not finish",
           fmt::format("teslasim trace cut {} -o FILE.wtrace keeps the complete blocks", trace->path()));
  std::vector<ChosenBlocks> result;
  for (std::uint32_t i = 0; i < workload.launches.size(); ++i) {
    const LaunchSpec& spec = workload.launches[i];
    const bool whole = trace == nullptr && wanted.blocks.all();
    if (whole) {
      result.emplace_back();
      continue;
    }
    ChosenBlocks blocks =
        trace != nullptr ? blocks_in_trace(*trace, i, spec, wanted) : blocks_in_grid(spec, wanted.blocks);
    if (blocks.empty())
      usage_error(
          "CLI-VALUE", fmt::format("launch {} ('{}') has none of the chosen blocks", i, spec.kernel),
          fmt::format("its grid has blocks 0-{}; --sms needs a trace recorded with --mode timing", spec.blocks() - 1));
    if (blocks.size() == spec.blocks()) blocks.clear();
    result.push_back(std::move(blocks));
  }
  return result;
}

std::unique_ptr<WarpStream> stream_of_chosen(std::unique_ptr<WarpStream> inner, const ChosenBlocks& chosen) {
  const bool first_ones = !chosen.empty() && chosen.back() + 1 == chosen.size();
  if (first_ones) return inner;
  return std::make_unique<ChosenStream>(std::move(inner), chosen);
}

}  // namespace teslasim
