// SPDX-License-Identifier: Apache-2.0
#include "frontend/cubin/launch_attributes.h"

#include <fmt/format.h>

#include <algorithm>

namespace teslasim {
namespace {

enum class Format : std::uint8_t { no_value = 1, byte_value = 2, half_value = 3, sized_value = 4 };

constexpr std::uint8_t image_slot = 0x02;
constexpr std::uint8_t most_threads = 0x05;
constexpr std::uint8_t shared_parameter_offsets = 0x0b;
constexpr std::uint8_t parameter_information = 0x17;
constexpr std::uint8_t shared_parameter_bytes = 0x18;

constexpr std::size_t entry_bytes = 4;
constexpr std::size_t word_bytes = 4;

std::uint32_t half_at(std::span<const std::uint8_t> bytes, std::size_t offset) {
  return static_cast<std::uint32_t>(bytes[offset] | bytes[offset + 1] << 8);
}
std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t offset) {
  return half_at(bytes, offset) | half_at(bytes, offset + 2) << 16U;
}

class AttributeReader {
 public:
  explicit AttributeReader(std::span<const std::uint8_t> section) : section_(section) {}

  LaunchAttributes read() {
    while (result_.problem.empty() && position_ < section_.size()) read_entry();
    std::sort(result_.parameters.begin(), result_.parameters.end(),
              [](const auto& left, const auto& right) { return left.ordinal < right.ordinal; });
    if (result_.parameters.empty()) parameters_from_offsets();
    return std::move(result_);
  }

 private:
  void stop(std::string why) {
    result_.problem = std::move(why);
    result_.problem_offset = position_;
  }

  void read_entry() {
    if (section_.size() - position_ < entry_bytes) return stop("the last attribute is cut short");
    const std::uint8_t format = section_[position_];
    const std::uint8_t attribute = section_[position_ + 1];
    const std::uint32_t value = half_at(section_, position_ + 2);
    const std::size_t payload = format == static_cast<std::uint8_t>(Format::sized_value) ? value : 0;
    if (format < static_cast<std::uint8_t>(Format::no_value) || format > static_cast<std::uint8_t>(Format::sized_value))
      return stop(fmt::format("attribute {:#04x} has the unknown format {}", attribute, format));
    if (payload > section_.size() - position_ - entry_bytes)
      return stop(fmt::format("attribute {:#04x} of {} bytes reaches beyond its section", attribute, payload));
    take(attribute, value, section_.subspan(position_ + entry_bytes, payload));
    position_ += entry_bytes + payload;
  }

  void take(std::uint8_t attribute, std::uint32_t value, std::span<const std::uint8_t> payload) {
    constexpr std::size_t information_bytes = 12;
    constexpr unsigned size_shift = 18;
    if (attribute == parameter_information && payload.size() >= information_bytes)
      result_.parameters.push_back({half_at(payload, 4), half_at(payload, 6), word_at(payload, 8) >> size_shift});
    if (attribute == shared_parameter_bytes) result_.parameter_bytes = value;
    if (attribute == shared_parameter_offsets) {
      for (std::size_t i = 0; i + word_bytes <= payload.size(); i += word_bytes)
        offsets_.push_back(word_at(payload, i));
    }
    if (attribute == most_threads && payload.size() >= 3 * word_bytes) result_.most_threads = volume_of(payload);
    if (attribute == image_slot && payload.size() >= 2 * word_bytes)
      result_.textures.push_back({word_at(payload, 0), word_at(payload, word_bytes)});
  }

  /// Three extents; too large ones say no more than the chip does.
  static std::uint32_t volume_of(std::span<const std::uint8_t> extents) {
    constexpr std::uint64_t no_bound = 512;
    std::uint64_t volume = 1;
    for (std::size_t i = 0; i < 3; ++i)
      volume = std::min<std::uint64_t>(no_bound, volume * std::max(1U, word_at(extents, i * word_bytes)));
    return static_cast<std::uint32_t>(volume);
  }

  /// Older toolkits: offsets alone, in the block or in shared memory, from which the sizes (padding included) follow.
  void parameters_from_offsets() {
    constexpr std::uint32_t block_start = 16;
    if (!offsets_.empty() && *std::min_element(offsets_.begin(), offsets_.end()) >= block_start) {
      for (std::uint32_t& offset : offsets_) offset -= block_start;
    }
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      const std::uint32_t end = i + 1 < offsets_.size() ? offsets_[i + 1] : result_.parameter_bytes.value_or(0);
      const std::uint32_t bytes = end > offsets_[i] ? end - offsets_[i] : 0;
      result_.parameters.push_back({static_cast<std::uint32_t>(i), offsets_[i], bytes, false});
    }
  }

  std::span<const std::uint8_t> section_;
  std::size_t position_ = 0;
  std::vector<std::uint32_t> offsets_;
  LaunchAttributes result_;
};

}  // namespace

LaunchAttributes read_launch_attributes(std::span<const std::uint8_t> section) {
  return AttributeReader(section).read();
}

}  // namespace teslasim
