// SPDX-License-Identifier: Apache-2.0
#include "frontend/cubin/embedded_images.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/cubin/elf_cubin.h"
#include "frontend/cubin/elf_image.h"
#include "frontend/cubin/packed_image.h"
#include "frontend/cubin/text_cubin.h"
#include "isa/encoding/encoding.h"

namespace teslasim {
namespace {

using Kind = EmbeddedImage::Kind;

constexpr std::string_view elf_magic =
    "\x7f"
    "ELF";
constexpr std::string_view container_magic = "\x50\xed\x55\xba";
constexpr std::string_view text_start = "architecture";
constexpr std::string_view ptx_start = ".version";

std::uint64_t little_endian(std::string_view bytes, std::uint64_t offset, unsigned size) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size && offset + i < bytes.size(); ++i)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[offset + i])} << (8 * i);
  return value;
}

/// The number after `word` in `text`; 0 when there is none.
std::uint32_t number_after(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return 0;
  std::uint32_t value = 0;
  for (std::size_t i = at + word.size(); i < text.size() && text[i] >= '0' && text[i] <= '9' && value < 1000; ++i)
    value = value * 10 + static_cast<std::uint32_t>(text[i] - '0');
  return value;
}

class ImageSearch {
 public:
  explicit ImageSearch(std::string_view bytes) : bytes_(bytes) {}

  std::vector<EmbeddedImage> run() {
    // Compressed images begin with plain bytes that look like the image itself: they must be known first.
    each(container_magic, [this](std::uint64_t at) { return container(at); });
    each(elf_magic, [this](std::uint64_t at) { return elf(at); });
    each(text_start, [this](std::uint64_t at) { return text_cubin(at); });
    each(ptx_start, [this](std::uint64_t at) { return ptx(at); });
    std::sort(found_.begin(), found_.end(),
              [](const EmbeddedImage& left, const EmbeddedImage& right) { return left.offset < right.offset; });
    return std::move(found_);
  }

 private:
  /// Calls `look` for each place of `word`; it returns how many bytes to skip.
  template <typename Look>
  void each(std::string_view word, Look look) {
    std::size_t at = bytes_.find(word);
    while (at != std::string_view::npos) {
      const std::uint64_t taken = std::max<std::uint64_t>(look(at), 1);
      at = taken > bytes_.size() - at ? std::string_view::npos : bytes_.find(word, at + taken);
    }
  }

  [[nodiscard]] bool known(std::uint64_t at) const {
    return std::any_of(found_.begin(), found_.end(), [&](const EmbeddedImage& image) {
      return at >= image.offset && at < image.offset + image.bytes;
    });
  }

  std::uint64_t elf(std::uint64_t at) {
    constexpr std::uint32_t level_mask = 0xff;
    if (known(at)) return 0;
    const ElfIdentity identity = identify_elf(bytes_.substr(at));
    if (identity.machine != elf_machine_cuda) return 0;
    found_.push_back({Kind::elf_cubin, identity.flags & level_mask, at, identity.extent});
    return identity.extent;
  }

  /// Up to the zero byte that ends the string.
  std::uint64_t text_cubin(std::uint64_t at) {
    const std::string_view rest = bytes_.substr(at);
    if (known(at) || !looks_like_text_cubin(rest.substr(0, 64))) return 0;
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    found_.push_back({Kind::text_cubin, number_after(rest.substr(0, std::min<std::size_t>(end, 64)), "sm_"), at, end});
    return end;
  }

  std::uint64_t container(std::uint64_t at) {
    constexpr std::uint64_t header_bytes = 16;
    const std::uint64_t first = little_endian(bytes_, at + 6, 2);
    const std::uint64_t end = at + first + little_endian(bytes_, at + 8, 8);
    if (little_endian(bytes_, at + 4, 2) != 1 || first < header_bytes || end > bytes_.size() || end < at) return 0;
    std::uint64_t entry = at + first;
    while (entry < end) {
      const std::uint64_t size = container_entry(entry, end);
      if (size == 0) break;
      entry += size;
    }
    return first;
  }

  /// Length of the entry, 0 when it makes no sense.
  std::uint64_t container_entry(std::uint64_t at, std::uint64_t end) {
    constexpr std::uint64_t ptx_kind = 1, elf_kind = 2, text_kind = 4, smallest_header = 48;
    const std::uint64_t kind = little_endian(bytes_, at, 2);
    const std::uint64_t header = little_endian(bytes_, at + 4, 4);
    const std::uint64_t size = little_endian(bytes_, at + 8, 8);
    const auto level = static_cast<std::uint32_t>(little_endian(bytes_, at + 28, 4));
    if (header < smallest_header || header > end - at || size > end - at - header) return 0;
    const std::uint64_t payload = at + header;
    if (kind == ptx_kind && !known(payload)) found_.push_back({Kind::ptx, level, payload, size});
    if (kind != elf_kind && kind != text_kind) return header + size;
    const std::string_view contents = bytes_.substr(payload, size);
    if (size >= elf_magic.size() && !contents.starts_with(elf_magic) && !looks_like_text_cubin(contents))
      found_.push_back(compressed(at, header, {Kind::compressed, level, payload, size}));
    return header + size;
  }

  /// `image` unpacked, or as it is when that gives no cubin.
  [[nodiscard]] EmbeddedImage compressed(std::uint64_t entry, std::uint64_t header, EmbeddedImage image) const {
    constexpr std::uint64_t header_with_sizes = 64;
    if (header < header_with_sizes) return image;
    const std::uint64_t packed = std::min(little_endian(bytes_, entry + 16, 4), image.bytes);
    auto unpacked = unpacked_image(bytes_.substr(image.offset, packed), little_endian(bytes_, entry + 56, 8));
    if (!unpacked) return image;
    const bool text = looks_like_text_cubin(*unpacked);
    if (!text && identify_elf(*unpacked).machine != elf_machine_cuda) return image;
    image.kind = text ? Kind::text_cubin : Kind::elf_cubin;
    image.unpacked = std::move(*unpacked);
    return image;
  }

  /// PTX as text: `.version 1.4` and a `.target sm_10` soon after it.
  std::uint64_t ptx(std::uint64_t at) {
    constexpr std::size_t near = 200;
    if (known(at)) return 0;
    const std::string_view rest = bytes_.substr(at);
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    const std::string_view head = rest.substr(0, std::min(end, near));
    if (head.find(".target") == std::string_view::npos) return 0;
    found_.push_back({Kind::ptx, std::max(number_after(head, "sm_"), number_after(head, "compute_")), at, end});
    return end;
  }

  std::string_view bytes_;
  std::vector<EmbeddedImage> found_;
};

std::string description(const EmbeddedImage& image) {
  const std::string level = image.level == 0 ? "" : fmt::format(" for sm_{}", image.level);
  const std::string packed = image.unpacked.empty() ? "" : fmt::format(", {} unpacked", image.unpacked.size());
  const std::string place =
      fmt::format("{}, {} bytes at file offset {:#x}{}", level, image.bytes, image.offset, packed);
  switch (image.kind) {
    case Kind::elf_cubin:
      return "ELF cubin" + place;
    case Kind::text_cubin:
      return "text cubin" + place;
    case Kind::ptx:
      return "PTX" + place + ": source for NVIDIA's compiler, not code";
    default:
      return "compressed cubin" + place;
  }
}

std::string help_for(const std::vector<EmbeddedImage>& images) {
  const auto any = [&](Kind kind) {
    return std::any_of(images.begin(), images.end(), [&](const EmbeddedImage& image) { return image.kind == kind; });
  };
  if (any(Kind::compressed)) return "extract the cubins with NVIDIA's tool: cuobjdump --extract-elf all FILE";
  if (any(Kind::elf_cubin) || any(Kind::text_cubin)) return "use a newer machine (-c), or compile for its level";
  return "compile it to a cubin with ptxas -arch sm_13 of CUDA 6.5 or earlier";
}

/// Appends the kernels of `image` that `all` does not have yet, each with what its module gave to all of its kernels.
bool merge(Module image, Module& all, std::set<std::string>& names) {
  const std::size_t first_variable = all.variables.size();
  bool used = false;
  for (Kernel& kernel : image.kernels) {
    if (!names.insert(kernel.name).second) continue;
    used = true;
    kernel.constants.insert(kernel.constants.begin(), image.constants.begin(), image.constants.end());
    for (AddressSlot& slot : kernel.address_slots) slot.variable += first_variable;
    all.kernels.push_back(std::move(kernel));
  }
  if (!used) return false;
  for (DeviceVariable& variable : image.variables) {
    for (VariableAddress& address : variable.addresses) address.variable += first_variable;
  }
  all.sm = std::max(all.sm, image.sm);
  std::move(image.variables.begin(), image.variables.end(), std::back_inserter(all.variables));
  std::move(image.warnings.begin(), image.warnings.end(), std::back_inserter(all.warnings));
  for (TextureReference& texture : image.textures) {
    const auto same = [&](const TextureReference& other) { return other.slot == texture.slot; };
    if (std::none_of(all.textures.begin(), all.textures.end(), same)) all.textures.push_back(std::move(texture));
  }
  return true;
}

Module read_image(const std::string& path, std::string_view bytes, const EmbeddedImage& image,
                  const ReadOptions& options) {
  const bool packed = !image.unpacked.empty();
  const std::string_view part = packed ? image.unpacked : bytes.substr(image.offset, image.bytes);
  if (image.kind == Kind::elf_cubin) return read_elf_cubin(path, part, options, packed ? 0 : image.offset);
  return read_text_cubin(path, part, options);
}

}  // namespace

std::vector<EmbeddedImage> find_embedded_images(std::string_view bytes) {
  return ImageSearch(bytes).run();
}

bool has_embedded_images(std::string_view bytes) {
  return !find_embedded_images(bytes).empty();
}

Module read_embedded_images(const std::string& path, std::string_view bytes, const ReadOptions& options) {
  const std::vector<EmbeddedImage> images = find_embedded_images(bytes);
  const std::uint32_t most = options.machine_sm == 0 ? highest_sm : options.machine_sm;
  std::vector<const EmbeddedImage*> readable;
  for (const EmbeddedImage& image : images) {
    const bool code = image.kind == Kind::elf_cubin || image.kind == Kind::text_cubin;
    if (code && image.level <= most) readable.push_back(&image);
  }
  std::stable_sort(readable.begin(), readable.end(),
                   [](const EmbeddedImage* left, const EmbeddedImage* right) { return left->level > right->level; });
  Module all;
  all.path = path;
  all.sm = 0;
  std::set<std::string> names;
  std::set<const EmbeddedImage*> taken;
  for (const EmbeddedImage* image : readable) {
    if (merge(read_image(path, bytes, *image, options), all, names)) taken.insert(image);
  }
  for (const EmbeddedImage& image : images)
    all.images.push_back(description(image) + (taken.contains(&image) ? ", taken" : ""));
  if (!all.kernels.empty()) {
    all.container = fmt::format("{} of {} embedded programs", taken.size(), images.size());
    return all;
  }
  Diagnostic problem;
  problem.code = "CUBIN-IMAGE";
  problem.message = options.machine_sm == 0
                        ? "no program in this file is code that can be read"
                        : fmt::format("no program in this file is code for a machine of sm_{}", options.machine_sm);
  problem.where.file = path;
  problem.details = all.images;
  problem.help = help_for(images);
  throw InputError(ExitCode::input, std::move(problem));
}

}  // namespace teslasim
