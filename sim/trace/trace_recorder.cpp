// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/trace_recorder.h"

#include <vector>

namespace teslasim {
namespace {

constexpr std::uint32_t local_window = 0xc0000000U;

class RecordingStream final : public WarpStream {
 public:
  RecordingStream(std::unique_ptr<WarpStream> inner, const Launch& launch, const ExecutionStreamOptions& options,
                  const TraceRecording& recording)
      : inner_(std::move(inner)),
        launch_(launch),
        options_(options),
        recording_(recording),
        sm_(recording.timed ? options.sm.number() : no_sm),
        encoders_(options.warp_slots, SegmentEncoder(*launch.kernel)),
        warps_(options.warp_slots),
        blocks_(options.block_slots) {}

  void start_block(unsigned block_slot, BlockIndex block, WarpSlot first_warp) override {
    const bool wanted = recording_.selection.contains({recording_.launch, block, 0, sm_});
    blocks_.at(block_slot) = first_warp;
    for (unsigned i = 0; i < launch_.warps_per_block(); ++i) {
      warps_.at(first_warp + i) = {block, i, wanted};
      encoders_[first_warp + i].clear();
    }
    inner_->start_block(block_slot, block, first_warp);
  }

  void finish_block(unsigned block_slot) override {
    const unsigned first = blocks_.at(block_slot);
    for (unsigned i = 0; i < launch_.warps_per_block(); ++i) write(first + i);
    inner_->finish_block(block_slot);
  }

  const Instruction* next(WarpSlot warp) override { return inner_->next(warp); }
  [[nodiscard]] bool passes_guard(WarpSlot warp) const override { return inner_->passes_guard(warp); }
  [[nodiscard]] LaneMask active(WarpSlot warp) const override { return inner_->active(warp); }

  void issue(WarpSlot warp, std::uint64_t clock, WarpInst& out) override {
    inner_->issue(warp, clock, out);
    const Warp& who = warps_[warp];
    if (out.memory != nullptr && recording_.order != nullptr)
      recording_.order->look(out.instruction->index, *out.memory, who.block, who.index);
    if (!who.wanted) return;
    view_.index = out.instruction->index;
    view_.active = out.active;
    view_.executed = out.executed;
    view_.divergent = out.divergent;
    view_.finished = out.finished;
    on_chip(out.shared, view_.shared);
    on_chip(out.constant, view_.constant);
    view_.memory.lanes = 0;
    if (out.memory != nullptr) device(*out.memory, warp);
    SegmentEncoder& encoder = encoders_[warp];
    encoder.add(view_);
    if (encoder.bytes().size() >= trace_segment_bytes) write(warp);
  }

  void complete(WarpSlot warp, MemoryAccess& access) override { inner_->complete(warp, access); }
  void release(MemoryAccess& access) override { inner_->release(access); }

 private:
  struct Warp {
    BlockIndex block = 0;
    std::uint32_t index = 0;
    bool wanted = true;
  };

  void write(WarpSlot warp) {
    SegmentEncoder& encoder = encoders_[warp];
    recording_.writer->add({recording_.launch, warps_[warp].block, warps_[warp].index, sm_}, encoder.bytes(),
                           encoder.instructions());
    encoder.clear();
  }

  static void on_chip(const OnChipAccess& access, AddressView& view) {
    view.lanes = access.lanes;
    if (access.lanes != 0) view = {access.lanes, access.bytes, access.uniform, &access.address};
  }

  void device(const MemoryAccess& access, WarpSlot warp) {
    view_.memory = {access.lanes, access.bytes, false, &access.address};
    view_.memory_kind = static_cast<std::uint8_t>(access.kind);
    view_.memory_space = static_cast<std::uint8_t>(access.space);
    if (access.space == MemoryAccess::Space::texture) {
      view_.texels = access.texture->texels;
      view_.inside = access.texture->inside & access.lanes;
      view_.further = access.texture->address.data() + 1;
    }
    if (access.space != MemoryAccess::Space::local) return;
    const std::uint32_t base = local_base_of(launch_, options_, warp);
    for (unsigned lane = 0; lane < warp_size; ++lane) local_[lane] = (access.address[lane] - base) & ~local_window;
    view_.memory.address = &local_;
  }

  std::unique_ptr<WarpStream> inner_;
  const Launch& launch_;
  ExecutionStreamOptions options_;
  TraceRecording recording_;
  std::uint32_t sm_;
  std::vector<SegmentEncoder> encoders_;
  std::vector<Warp> warps_;
  std::vector<unsigned> blocks_;
  InstructionView view_;
  std::array<std::uint32_t, warp_size> local_{};
};

}  // namespace

std::uint32_t local_base_of(const Launch& launch, const ExecutionStreamOptions& options, WarpSlot warp) {
  constexpr std::uint32_t word_bytes = 4, row_bytes = word_bytes * warp_size;
  const std::uint32_t words = (launch.kernel->local_bytes + word_bytes - 1) / word_bytes;
  return (options.sm * options.warp_slots + warp) * words * row_bytes;
}

std::unique_ptr<WarpStream> record_stream(std::unique_ptr<WarpStream> inner, const Launch& launch,
                                          const ExecutionStreamOptions& options, const TraceRecording& recording) {
  return std::make_unique<RecordingStream>(std::move(inner), launch, options, recording);
}

}  // namespace teslasim
