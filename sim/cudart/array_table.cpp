// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/array_table.h"

#include <algorithm>

namespace teslasim::cudart {

std::optional<TexelFormat> texel_format(const cudaChannelFormatDesc& channels) {
  const std::array<int, 4> bits{channels.x, channels.y, channels.z, channels.w};
  const auto count = static_cast<std::size_t>(std::find(bits.begin(), bits.end(), 0) - bits.begin());
  const auto equal = [&](int other) { return other == bits[0]; };
  const bool even = std::all_of(bits.begin(), bits.begin() + static_cast<std::ptrdiff_t>(count), equal);
  const bool real = channels.f == cudaChannelFormatKindFloat;
  const bool known_bits = bits[0] == 16 || bits[0] == 32 || (bits[0] == 8 && !real);
  if (!even || !known_bits || count == 3 || channels.f == cudaChannelFormatKindNone) return std::nullopt;
  TexelFormat format;
  format.kind = real ? TexelFormat::Kind::real
                     : (channels.f == cudaChannelFormatKindSigned ? TexelFormat::Kind::signed_integer
                                                                  : TexelFormat::Kind::unsigned_integer);
  format.bits = static_cast<std::uint8_t>(bits[0]);
  format.components = static_cast<std::uint8_t>(count);
  return format;
}

std::optional<std::size_t> ArrayTable::create(const cudaChannelFormatDesc& channels, const TexelFormat& format,
                                              std::array<std::size_t, 3> extents, DeviceHeap& heap,
                                              const CallSite& site) {
  ArrayState state;
  state.channels = channels;
  state.image.format = format;
  state.image.layout = TextureImage::Layout::tiled;
  state.image.dimensions = static_cast<std::uint8_t>(extents[2] != 0 ? 3 : (extents[1] != 0 ? 2 : 1));
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    state.image.size[axis] = static_cast<std::uint32_t>(std::max<std::size_t>(extents[axis], 1));
  const std::optional<Address> address = heap.allocate(state.image.bytes(), "cudaMallocArray", site);
  if (!address) return std::nullopt;
  state.image.address = *address;
  arrays_.push_back(state);
  return arrays_.size() - 1;
}

const ArrayState* ArrayTable::find(std::size_t number) const {
  return number < arrays_.size() && arrays_[number] ? &*arrays_[number] : nullptr;
}

bool ArrayTable::destroy(std::size_t number, DeviceHeap& heap) {
  const ArrayState* state = find(number);
  if (state == nullptr || !heap.release(state->image.address)) return false;
  arrays_[number].reset();
  return true;
}

void ArrayTable::clear() {
  std::fill(arrays_.begin(), arrays_.end(), std::nullopt);
}

}  // namespace teslasim::cudart
