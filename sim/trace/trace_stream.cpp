// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/trace_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/base/diagnostic.h"
#include "sim/trace/record_check.h"
#include "sim/trace/trace_recorder.h"

namespace teslasim {
namespace {

constexpr std::uint32_t local_window = 0xc0000000U;

class TraceStream final : public WarpStream {
 public:
  TraceStream(const Launch& launch, const ExecutionStreamOptions& options, TraceReader& reader,
              std::uint32_t launch_number)
      : launch_(launch), options_(options), reader_(reader), launch_number_(launch_number), check_(*launch.kernel) {
    warps_.reserve(options.warp_slots);
    for (unsigned i = 0; i < options.warp_slots; ++i) warps_.emplace_back(*launch.kernel);
  }

  void start_block(unsigned /*block_slot*/, BlockIndex block, WarpSlot first_warp) override {
    for (unsigned i = 0; i < launch_.warps_per_block(); ++i) {
      Warp& warp = warps_.at(first_warp + i);
      warp.segments = reader_.segments_of(launch_number_, block, i);
      if (warp.segments.empty()) refuse(block);
      warp.next_segment = 0;
      warp.ended = false;
      warp.decoder.open("", 0);
      advance(warp);
    }
  }

  void finish_block(unsigned /*block_slot*/) override {}

  const Instruction* next(WarpSlot slot) override {
    const Warp& warp = warps_[slot];
    return warp.ended ? nullptr : &launch_.kernel->code[warp.record.index];
  }

  [[nodiscard]] bool passes_guard(WarpSlot slot) const override { return warps_[slot].record.executed != 0; }
  [[nodiscard]] LaneMask active(WarpSlot slot) const override { return warps_[slot].record.active; }

  void issue(WarpSlot slot, std::uint64_t /*clock*/, WarpInst& out) override {
    Warp& warp = warps_[slot];
    const InstructionRecord& record = warp.record;
    out.instruction = &launch_.kernel->code[record.index];
    out.active = record.active;
    out.executed = record.executed;
    out.divergent = record.divergent;
    out.finished = record.finished;
    on_chip(record.shared, out.shared);
    on_chip(record.constant, out.constant);
    out.memory = record.memory.lanes == 0 ? nullptr : &access_of(record, slot);
    // Without a memory system nothing releases the access; it stays readable until the next one.
    if (out.memory != nullptr && options_.memory_effect == MemoryEffect::at_issue) release(*out.memory);
    if (record.finished) {
      warp.ended = true;
    } else {
      advance(warp);
    }
  }

  void complete(WarpSlot /*warp*/, MemoryAccess& /*access*/) override {}
  void release(MemoryAccess& access) override {
    if (access.texture != nullptr) free_texels_.push_back(access.texture);
    free_.push_back(&access);
  }

 private:
  struct Warp {
    explicit Warp(const Kernel& kernel) : decoder(kernel) {}
    std::vector<SegmentInfo> segments;
    std::size_t next_segment = 0;
    SegmentDecoder decoder;
    InstructionRecord record;
    bool ended = true;
  };

  void advance(Warp& warp) {
    try {
      while (warp.decoder.at_end()) {
        if (warp.next_segment == warp.segments.size())
          throw TraceDamage("the instructions of a warp end before the warp does");
        const SegmentInfo& segment = warp.segments[warp.next_segment++];
        warp.decoder.open(reader_.bytes_of_segment(segment), segment.instructions);
      }
      warp.decoder.next(warp.record);
      if (!check_.fits(warp.record)) throw TraceDamage(check_.problem(warp.record));
    } catch (const TraceDamage& damage) {
      const SegmentInfo& segment = warp.segments[warp.next_segment - 1];
      reader_.damaged(fmt::format("chunk {}: {}", segment.chunk, damage.what()),
                      reader_.chunks().at(segment.chunk).offset);
    }
  }

  [[noreturn]] void refuse(BlockIndex block) const {
    Diagnostic problem;
    problem.code = "TRACE-BLOCK";
    problem.message = fmt::format("the trace does not have block {} of launch {}", block, launch_number_);
    problem.where.file = reader_.path();
    if (reader_.truncated()) problem.notes.push_back("the trace is truncated: its writer did not finish");
    problem.help = "record the whole launch";
    throw InputError(ExitCode::input, problem);
  }

  static void on_chip(const AddressRecord& record, OnChipAccess& access) {
    access.lanes = record.lanes;
    if (record.lanes == 0) return;
    access.bytes = record.bytes;
    access.address = record.address;
    access.find_shapes();
  }

  MemoryAccess& access_of(const InstructionRecord& record, unsigned slot) {
    if (free_.empty()) {
      accesses_.push_back(std::make_unique<MemoryAccess>());
      free_.push_back(accesses_.back().get());
    }
    MemoryAccess& access = *free_.back();
    free_.pop_back();
    access.kind = static_cast<MemoryAccess::Kind>(record.memory_kind);
    access.space = static_cast<MemoryAccess::Space>(record.memory_space);
    access.bytes = record.memory.bytes;
    access.lanes = record.memory.lanes;
    access.address = record.memory.address;
    find_rows(access);
    access.served = 0;
    access.texture = nullptr;
    if (access.space == MemoryAccess::Space::texture) access.texture = &texels_of(record);
    if (access.space == MemoryAccess::Space::local) {
      const std::uint32_t base = local_base_of(launch_, options_, slot);
      for (std::uint32_t& address : access.address) address = local_window | ((address + base) & ~local_window);
    }
    return access;
  }

  TextureAccess& texels_of(const InstructionRecord& record) {
    if (free_texels_.empty()) {
      texels_.push_back(std::make_unique<TextureAccess>());
      free_texels_.push_back(texels_.back().get());
    }
    TextureAccess& texels = *free_texels_.back();
    free_texels_.pop_back();
    constexpr unsigned word_bits = 32, byte_bits = 8;
    const unsigned bits = byte_bits * record.memory.bytes;
    texels.format = {TexelFormat::Kind::real, static_cast<std::uint8_t>(std::min(bits, word_bits)),
                     static_cast<std::uint8_t>(std::max(1U, bits / word_bits))};
    texels.texels = record.texture.texels;
    texels.inside = record.texture.inside;
    texels.address[0] = record.memory.address;
    for (unsigned i = 1; i < texels.texels; ++i) texels.address[i] = record.texture.further[i - 1];
    return texels;
  }

  const Launch& launch_;
  ExecutionStreamOptions options_;
  TraceReader& reader_;
  std::uint32_t launch_number_;
  RecordCheck check_;
  std::vector<Warp> warps_;
  std::vector<std::unique_ptr<MemoryAccess>> accesses_;
  std::vector<MemoryAccess*> free_;
  std::vector<std::unique_ptr<TextureAccess>> texels_;
  std::vector<TextureAccess*> free_texels_;
};

}  // namespace

std::unique_ptr<WarpStream> replay_stream(const Launch& launch, const ExecutionStreamOptions& options,
                                          TraceReader& reader, std::uint32_t launch_number) {
  return std::make_unique<TraceStream>(launch, options, reader, launch_number);
}

}  // namespace teslasim
