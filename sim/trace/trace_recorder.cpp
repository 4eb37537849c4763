// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/trace_recorder.h"

#include <vector>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::size_t segment_bytes = 16U << 10U;
constexpr std::uint32_t local_window = 0xc0000000U;

class RecordingStream final : public WarpStream {
 public:
  RecordingStream(std::unique_ptr<WarpStream> inner, const Launch& launch, const ExecutionStreamOptions& options,
                  TraceWriter& writer, std::uint32_t launch_number)
      : inner_(std::move(inner)),
        launch_(launch),
        options_(options),
        writer_(writer),
        launch_number_(launch_number),
        encoders_(options.warp_slots, SegmentEncoder(*launch.kernel)),
        warps_(options.warp_slots),
        blocks_(options.block_slots) {}

  void start_block(unsigned block_slot, std::uint64_t block, unsigned first_warp) override {
    blocks_.at(block_slot) = first_warp;
    for (unsigned i = 0; i < launch_.warps_per_block(); ++i) {
      warps_.at(first_warp + i) = {block, i};
      encoders_[first_warp + i].clear();
    }
    inner_->start_block(block_slot, block, first_warp);
  }

  void finish_block(unsigned block_slot) override {
    const unsigned first = blocks_.at(block_slot);
    for (unsigned i = 0; i < launch_.warps_per_block(); ++i) write(first + i);
    inner_->finish_block(block_slot);
  }

  const Instruction* next(unsigned warp) override { return inner_->next(warp); }

  void issue(unsigned warp, std::uint64_t clock, WarpInst& out) override {
    inner_->issue(warp, clock, out);
    record_.index = out.instruction->index;
    record_.active = out.active;
    record_.executed = out.executed;
    record_.divergent = out.divergent;
    record_.finished = out.finished;
    on_chip(out.shared, record_.shared);
    on_chip(out.constant, record_.constant);
    device(out.memory, warp);
    encoders_[warp].add(record_);
    if (encoders_[warp].bytes().size() >= segment_bytes) write(warp);
  }

  void complete(unsigned warp, MemoryAccess& access) override { inner_->complete(warp, access); }
  void release(MemoryAccess& access) override { inner_->release(access); }

 private:
  struct Warp {
    std::uint64_t block = 0;
    std::uint32_t index = 0;
  };

  void write(unsigned warp) {
    writer_.add(launch_number_, warps_[warp].block, warps_[warp].index, encoders_[warp]);
    encoders_[warp].clear();
  }

  static void on_chip(const OnChipAccess& access, AddressRecord& record) {
    record.lanes = access.lanes;
    if (access.lanes == 0) return;
    record.bytes = access.bytes;
    if (access.uniform) {
      record.address.fill(access.address[0]);
    } else {
      record.address = access.address;
    }
  }

  void device(const MemoryAccess* access, unsigned warp) {
    record_.memory.lanes = 0;
    if (access == nullptr) return;
    if (access->space == MemoryAccess::Space::texture) refuse_textures();
    record_.memory.lanes = access->lanes;
    record_.memory.bytes = access->bytes;
    record_.memory_kind = static_cast<std::uint8_t>(access->kind);
    record_.memory_space = static_cast<std::uint8_t>(access->space);
    record_.memory.address = access->address;
    if (access->space != MemoryAccess::Space::local) return;
    const std::uint32_t base = local_base_of(launch_, options_, warp);
    for (std::uint32_t& address : record_.memory.address) address = (address - base) & ~local_window;
  }

  [[noreturn]] void refuse_textures() const {
    Diagnostic problem;
    problem.code = "TRACE-TEXTURE";
    problem.message = "kernel '" + launch_.kernel->name + "' reads textures, which traces cannot hold yet";
    problem.help = "run it without recording";
    throw InputError(ExitCode::input, problem);
  }

  std::unique_ptr<WarpStream> inner_;
  const Launch& launch_;
  ExecutionStreamOptions options_;
  TraceWriter& writer_;
  std::uint32_t launch_number_;
  std::vector<SegmentEncoder> encoders_;
  std::vector<Warp> warps_;
  std::vector<unsigned> blocks_;
  InstructionRecord record_;
};

}  // namespace

std::uint32_t local_base_of(const Launch& launch, const ExecutionStreamOptions& options, unsigned warp) {
  constexpr std::uint32_t word_bytes = 4, row_bytes = word_bytes * warp_size;
  const std::uint32_t words = (launch.kernel->local_bytes + word_bytes - 1) / word_bytes;
  return (options.sm * options.warp_slots + warp) * words * row_bytes;
}

std::unique_ptr<WarpStream> record_stream(std::unique_ptr<WarpStream> inner, const Launch& launch,
                                          const ExecutionStreamOptions& options, TraceWriter& writer,
                                          std::uint32_t launch_number) {
  return std::make_unique<RecordingStream>(std::move(inner), launch, options, writer, launch_number);
}

}  // namespace teslasim
