// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/volume_copies.h"

#include <cstring>
#include <vector>

#include "sim/cudart/host_memory.h"

namespace teslasim::cudart {
namespace {

bool fits(const VolumeEnd& end, const std::array<std::size_t, 3>& box) {
  if (end.array == nullptr) return true;
  const std::array<std::size_t, 3> size{end.array->row_bytes(), end.array->image.size[1], end.array->image.size[2]};
  for (std::size_t axis = 0; axis < size.size(); ++axis) {
    if (end.at[axis] > size[axis] || box[axis] > size[axis] - end.at[axis]) return false;
  }
  const unsigned texel = end.array->image.format.bytes();
  return end.at[0] % texel == 0 && box[0] % texel == 0;
}

class VolumeCopy {
 public:
  VolumeCopy(Session& session, const CopyCall& call, const VolumeEnd& to, const VolumeEnd& from,
             std::array<std::size_t, 3> box)
      : session_(session), call_(call), to_(to), from_(from), box_(box), row_(box[0]) {}

  cudaError_t run() {
    if (!fits(to_, box_) || !fits(from_, box_))
      return session_.complain(cudaErrorInvalidValue, call_.name, call_.site, "the copy leaves the array");
    for (std::size_t z = 0; z < box_[2]; ++z) {
      for (std::size_t y = 0; y < box_[1]; ++y) {
        if (const cudaError_t error = move_row(y, z); error != cudaSuccess) return error;
      }
    }
    take_time(session_, call_, path(), std::uint64_t{box_[0]} * box_[1] * box_[2]);
    return cudaSuccess;
  }

 private:
  [[nodiscard]] bool on_device(const VolumeEnd& end, bool is_source) const {
    if (end.array != nullptr) return true;
    if (call_.kind == cudaMemcpyDefault) return session_.heap.find(end.pointer, 1).has_value();
    const bool device_source = call_.kind == cudaMemcpyDeviceToHost || call_.kind == cudaMemcpyDeviceToDevice;
    const bool device_target = call_.kind == cudaMemcpyHostToDevice || call_.kind == cudaMemcpyDeviceToDevice;
    return is_source ? device_source : device_target;
  }
  [[nodiscard]] Path path() const {
    const bool to = on_device(to_, false), from = on_device(from_, true);
    if (to && from) return Path::device_to_device;
    if (!to && !from) return Path::host_to_host;
    const bool pinned = session_.host_buffers.is_pinned(to ? from_.pointer : to_.pointer);
    if (to) return pinned ? Path::pinned_to_device : Path::pageable_to_device;
    return pinned ? Path::device_to_pinned : Path::device_to_pageable;
  }

  static std::byte* row_of(const VolumeEnd& end, std::size_t y, std::size_t z) {
    return end.pointer + (end.at[2] + z) * end.slice + (end.at[1] + y) * end.pitch + end.at[0];
  }
  template <typename Move>
  void each_texel(const VolumeEnd& end, std::size_t y, std::size_t z, Move move) {
    const TextureImage& image = end.array->image;
    const unsigned bytes = image.format.bytes();
    for (std::size_t done = 0; done < row_.size(); done += bytes) {
      const auto x = static_cast<std::uint32_t>((end.at[0] + done) / bytes);
      const std::uint64_t offset =
          image.offset(x, static_cast<std::uint32_t>(end.at[1] + y), static_cast<std::uint32_t>(end.at[2] + z));
      move(row_.data() + done, session_.heap.at(image.address) + offset, bytes);
    }
  }

  cudaError_t read(std::size_t y, std::size_t z) {
    if (from_.array != nullptr) {
      each_texel(from_, y, z, [](std::byte* row, std::byte* texel, unsigned bytes) { std::memcpy(row, texel, bytes); });
      return cudaSuccess;
    }
    const std::byte* row = row_of(from_, y, z);
    if (!on_device(from_, true)) return read_host(row_.data(), row, row_.size()) ? cudaSuccess : bad_host(row);
    const std::optional<Address> address = session_.heap.find(row, row_.size());
    if (!address) return bad_device(row);
    std::memcpy(row_.data(), session_.heap.at(*address), row_.size());
    return cudaSuccess;
  }

  cudaError_t write(std::size_t y, std::size_t z) {
    if (to_.array != nullptr) {
      each_texel(to_, y, z, [](std::byte* row, std::byte* texel, unsigned bytes) { std::memcpy(texel, row, bytes); });
      return cudaSuccess;
    }
    std::byte* row = row_of(to_, y, z);
    if (!on_device(to_, false)) return write_host(row, row_.data(), row_.size()) ? cudaSuccess : bad_host(row);
    const std::optional<Address> address = session_.heap.find(row, row_.size());
    if (!address) return bad_device(row);
    std::memcpy(session_.heap.at(*address), row_.data(), row_.size());
    return cudaSuccess;
  }

  cudaError_t bad_host(const void* pointer) {
    (void)pointer;
    return session_.complain(cudaErrorInvalidHostPointer, call_.name, call_.site,
                             "the host has not so many bytes there");
  }
  cudaError_t bad_device(const void* pointer) {
    return session_.complain(cudaErrorInvalidDevicePointer, call_.name, call_.site,
                             "no device memory: " + session_.heap.describe(pointer));
  }

  cudaError_t move_row(std::size_t y, std::size_t z) {
    const cudaError_t error = read(y, z);
    return error == cudaSuccess ? write(y, z) : error;
  }

  Session& session_;
  const CopyCall& call_;
  const VolumeEnd& to_;
  const VolumeEnd& from_;
  std::array<std::size_t, 3> box_;
  std::vector<std::byte> row_;
};

}  // namespace

cudaError_t copy_volume(Session& session, const CopyCall& call, const VolumeEnd& to, const VolumeEnd& from,
                        std::array<std::size_t, 3> box) {
  if (box[0] == 0 || box[1] == 0 || box[2] == 0) return cudaSuccess;
  constexpr std::size_t most = std::size_t{1} << 32U;
  if (box[0] > most || box[1] > most || box[2] > most)
    return session.complain(cudaErrorInvalidValue, call.name, call.site, "the copy is larger than all memory");
  return VolumeCopy(session, call, to, from, box).run();
}

}  // namespace teslasim::cudart
