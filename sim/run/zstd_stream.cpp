// SPDX-License-Identifier: Apache-2.0
#include "sim/run/zstd_stream.h"

#include <zstd.h>

#include <new>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr int zstd_level = 3;  // the library's own choice between speed and size

}  // namespace

struct ZstdStream::State {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(), &ZSTD_freeCCtx};
};

ZstdStream::ZstdStream() : state_(std::make_unique<State>()) {
  if (state_->context == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(state_->context.get(), ZSTD_c_compressionLevel, zstd_level);
  ZSTD_CCtx_setParameter(state_->context.get(), ZSTD_c_checksumFlag, 1);
}

ZstdStream::~ZstdStream() = default;

void ZstdStream::add(std::string_view piece) {
  while (!piece.empty()) compress(piece, false);
}

std::string ZstdStream::finish() {
  std::string_view nothing;
  while (!compress(nothing, true)) {
  }
  return std::move(out_);
}

/// Takes from `piece` what it can. True: what was taken so far has been written, as the end of the file if `last`.
bool ZstdStream::compress(std::string_view& piece, bool last) {
  const std::size_t used = out_.size(), room = ZSTD_CStreamOutSize();
  out_.resize(used + room);
  ZSTD_inBuffer in{piece.data(), piece.size(), 0};
  ZSTD_outBuffer out{out_.data() + used, room, 0};
  const std::size_t left = ZSTD_compressStream2(state_->context.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
  if (ZSTD_isError(left) != 0)
    throw std::bad_alloc();  // the parameters are right and there is room: nothing else fails
  out_.resize(used + out.pos);
  piece.remove_prefix(in.pos);
  return left == 0;
}

}  // namespace teslasim
