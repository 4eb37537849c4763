// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/resolve/resolve_textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/workload/device/element.h"
#include "frontend/workload/resolve/value_checks.h"
#include "isa/names.h"

namespace teslasim {

namespace {

constexpr std::int64_t last_slot = 127;           ///< of the CUDA drivers of this generation
constexpr std::int64_t longest_line = 1LL << 27;  ///< texels of linear memory (CUDA Programming Guide 2.3, appendix A)
constexpr std::int64_t longest_side = 65536;      ///< texels in two dimensions
constexpr std::int64_t longest_edge = 2048;       ///< texels in three dimensions

const std::vector<std::string> texel_types = {"u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32"};

bool is_float(ValueType type) {
  return type == ValueType::f16 || type == ValueType::f32;
}

}  // namespace

void TextureResolver::refuse(const SourceLocation& where, const std::string& message, const std::string& help) {
  mistakes_.error({"LAUNCH-TEXTURE", message, where, help, {}});
}

std::optional<std::size_t> TextureResolver::choice(const LocatedText& value, const std::string& key,
                                                   const std::vector<std::string>& words) {
  const auto found = std::find(words.begin(), words.end(), value.value);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  mistakes_.error({"LAUNCH-TYPE",
                   fmt::format("'{}' cannot be '{}'", key, value.value),
                   value.where,
                   did_you_mean(value.value, words, "it can be"),
                   {}});
  return std::nullopt;
}

bool TextureResolver::set_slot(const TextureDraft& draft, const Module* module, TextureSpec& texture) {
  if (draft.slot) {
    const auto slot = whole(*draft.slot, "slot", {0, last_slot}, mistakes_);
    texture.slot = static_cast<std::uint32_t>(slot.value_or(0));
    return slot.has_value();
  }
  if (module == nullptr) return false;
  std::vector<std::string> names;
  for (const TextureReference& reference : module->textures) {
    if (reference.name == draft.name.value) {
      texture.slot = reference.slot;
      return true;
    }
    names.push_back(reference.name);
  }
  mistakes_.error({"LAUNCH-UNKNOWN",
                   fmt::format("the code has no texture reference '{}'", draft.name.value),
                   draft.name.where,
                   names.empty() ? "say which slot the instructions name: slot = 0"
                                 : did_you_mean(draft.name.value, names, "the references are"),
                   {}});
  return false;
}

bool TextureResolver::set_format(const TextureDraft& draft, TextureSpec& texture) {
  if (!draft.type) {
    if (!draft.damaged) {
      mistakes_.error({"LAUNCH-MISSING",
                       "texture '" + draft.name.value + "' has no type",
                       draft.where,
                       "add: type = \"f32\" (" + listed(texel_types) + ")",
                       {}});
    }
    return false;
  }
  const auto type = choice(*draft.type, "type", texel_types);
  if (!type) return false;
  constexpr std::array types{ValueType::u8,  ValueType::s8,  ValueType::u16, ValueType::s16,
                             ValueType::u32, ValueType::s32, ValueType::f16, ValueType::f32};
  texture.type = types[*type];
  if (!draft.components) return true;
  const auto components = whole(*draft.components, "components", {1, 4}, mistakes_);
  if (!components) return false;
  if (*components == 3) {
    refuse(draft.components->where, "a texel has 1, 2 or 4 components, not 3");
    return false;
  }
  texture.components = static_cast<unsigned>(*components);
  return true;
}

bool TextureResolver::set_size(const TextureDraft& draft, TextureSpec& texture) {
  if (!draft.size) {
    if (!draft.damaged) {
      mistakes_.error({"LAUNCH-MISSING",
                       "texture '" + draft.name.value + "' has no size",
                       draft.where,
                       "add: size = [WIDTH], [WIDTH, HEIGHT] or [WIDTH, HEIGHT, DEPTH], in texels",
                       {}});
    }
    return false;
  }
  const std::vector<LocatedNumber>& size = draft.size->value;
  if (size.empty() || size.size() > 3) {
    refuse(draft.size->where, fmt::format("'size' has {} dimensions, 1 to 3 are possible", size.size()));
    return false;
  }
  const std::int64_t most = size.size() == 1 ? longest_line : size.size() == 2 ? longest_side : longest_edge;
  texture.dimensions = static_cast<unsigned>(size.size());
  for (std::size_t i = 0; i < size.size(); ++i) {
    const auto extent = whole(size[i], "size", {1, most}, mistakes_);
    if (!extent) return false;
    texture.size[i] = static_cast<std::uint32_t>(*extent);
  }
  const std::int64_t row = std::int64_t{texture.size[0]} * texture.texel_bytes();
  texture.pitch_bytes = static_cast<std::uint32_t>(row);
  if (!draft.pitch_bytes) return true;
  const auto pitch = whole(*draft.pitch_bytes, "pitch_bytes", {row, 1LL << 24}, mistakes_);
  if (!pitch) return false;
  if (*pitch % texture.texel_bytes() != 0) {
    refuse(draft.pitch_bytes->where,
           fmt::format("'pitch_bytes' must be a multiple of the {} bytes of a texel", texture.texel_bytes()));
    return false;
  }
  texture.pitch_bytes = static_cast<std::uint32_t>(*pitch);
  return true;
}

bool TextureResolver::set_address_modes(const TextureDraft& draft, TextureSpec& texture) {
  if (!draft.address) return true;
  const std::vector<LocatedText>& modes = draft.address->value;
  if (modes.empty() || modes.size() > texture.dimensions) {
    refuse(draft.address->where,
           fmt::format("'address' has {} entries, the texture has {} dimensions", modes.size(), texture.dimensions),
           "give one for all dimensions, or one each");
    return false;
  }
  for (std::size_t i = 0; i < texture.dimensions; ++i) {
    const LocatedText& mode = modes[std::min(i, modes.size() - 1)];
    const auto wanted = choice(mode, "address", {"clamp", "wrap"});
    if (!wanted) return false;
    texture.wrap[i] = *wanted == 1;
    if (texture.wrap[i] && !texture.normalised_coordinates) {
      refuse(mode.where, "only normalised coordinates can wrap", "add normalized = true, or use \"clamp\"");
      return false;
    }
  }
  return true;
}

bool TextureResolver::set_sampler(const TextureDraft& draft, TextureSpec& texture) {
  if (draft.normalised) texture.normalised_coordinates = draft.normalised->value;
  if (draft.read) {
    const auto read = choice(*draft.read, "read", {"element", "normalized_float"});
    if (!read) return false;
    texture.normalised_values = *read == 1;
    if (texture.normalised_values && (is_float(texture.type) || bytes_of(texture.type) > 2)) {
      refuse(draft.read->where, "only integers of 8 and 16 bits can be read as normalised floats");
      return false;
    }
  }
  if (draft.filter) {
    const auto filter = choice(*draft.filter, "filter", {"point", "linear"});
    if (!filter) return false;
    texture.linear_filter = *filter == 1;
    if (texture.linear_filter && !texture.normalised_values && !is_float(texture.type)) {
      refuse(draft.filter->where, "only floats can be filtered",
             "read integers of 8 or 16 bits with read = \"normalized_float\"");
      return false;
    }
  }
  return set_address_modes(draft, texture);
}

bool TextureResolver::existing_buffer(const TextureDraft& draft, TextureSpec& texture) {
  for (const auto& [given, key] : {std::pair{draft.contents.initialiser.has_value(), "init"},
                                   {draft.contents.file.has_value(), "file"},
                                   {draft.contents.value.has_value(), "value"},
                                   {draft.contents.seed.has_value(), "seed"},
                                   {draft.contents.range.has_value(), "range"}}) {
    if (!given) continue;
    refuse(draft.where, fmt::format("the texture has a 'buffer' and '{}': the buffer has its contents already", key));
    return false;
  }
  const LocatedText& wanted = *draft.buffer;
  const auto found = std::find_if(buffers_.begin(), buffers_.end(),
                                  [&wanted](const BufferSpec& buffer) { return buffer.name == wanted.value; });
  if (found == buffers_.end()) {
    std::vector<std::string> names;
    for (const BufferSpec& buffer : buffers_) names.push_back(buffer.name);
    mistakes_.error({"LAUNCH-UNKNOWN",
                     "there is no buffer '" + wanted.value + "'",
                     wanted.where,
                     did_you_mean(wanted.value, names, "the buffers are"),
                     {}});
    return false;
  }
  texture.buffer = static_cast<std::size_t>(found - buffers_.begin());
  const std::uint64_t bytes = found->count * bytes_of(found->type);
  const std::uint64_t needed = texture.linear_bytes();
  if (needed <= bytes) return true;
  refuse(draft.size->where, fmt::format("the image takes {} bytes, buffer '{}' has {}", needed, found->name, bytes));
  return false;
}

/// The image becomes a buffer of the texture's name, filled like any other.
bool TextureResolver::own_buffer(const TextureDraft& draft, TextureSpec& texture) {
  if (draft.pitch_bytes) {
    refuse(draft.pitch_bytes->where, "'pitch_bytes' belongs to a 'buffer'",
           "an image with contents of its own has no gaps between its rows");
    return false;
  }
  ParameterDraft contents = draft.contents;
  contents.name = draft.name;
  contents.where = draft.where;
  // Half-precision texels are written as the 16-bit words of a file.
  contents.type = LocatedText{texture.type == ValueType::f16 ? "u16" : draft.type->value, draft.type->where};
  const std::uint64_t elements =
      std::uint64_t{texture.size[0]} * texture.size[1] * texture.size[2] * texture.components;
  contents.count = LocatedNumber{static_cast<std::int64_t>(elements), draft.size->where};
  const ResolvedParameters resolved = parameters_.resolve({contents});
  if (!resolved.understood.front()) return false;
  texture.buffer = *resolved.values.front().buffer;
  texture.own_contents = true;
  return true;
}

bool TextureResolver::set_image(const TextureDraft& draft, TextureSpec& texture) {
  if (draft.layout) {
    const auto layout = choice(*draft.layout, "layout", {"linear", "tiled"});
    if (!layout) return false;
    texture.tiled = *layout == 1;
  }
  if (draft.buffer && texture.tiled) {
    refuse(draft.layout->where, "a buffer of the kernel is linear memory",
           "leave 'layout' out, or give the texture contents of its own (init, file)");
    return false;
  }
  return draft.buffer ? existing_buffer(draft, texture) : own_buffer(draft, texture);
}

std::optional<TextureSpec> TextureResolver::texture(const TextureDraft& draft, const Module* module) {
  TextureSpec texture;
  texture.name = draft.name.value;
  texture.where = draft.where;
  const bool slot = set_slot(draft, module, texture);
  if (!set_format(draft, texture) || !set_size(draft, texture)) return std::nullopt;
  const bool sampler = set_sampler(draft, texture);
  if (!set_image(draft, texture) || !slot || !sampler) return std::nullopt;
  return texture;
}

std::vector<TextureSpec> TextureResolver::resolve(const std::vector<TextureDraft>& drafts, const Module* module) {
  std::vector<TextureSpec> textures;
  for (const TextureDraft& draft : drafts) {
    std::optional<TextureSpec> resolved = texture(draft, module);
    if (!resolved) continue;
    const auto same = std::find_if(textures.begin(), textures.end(),
                                   [&](const TextureSpec& other) { return other.slot == resolved->slot; });
    if (same != textures.end()) {
      mistakes_.error(
          {"LAUNCH-DUPLICATE",
           fmt::format("textures '{}' and '{}' are both bound to slot {}", same->name, resolved->name, resolved->slot),
           draft.where,
           "",
           {}});
    }
    textures.push_back(*std::move(resolved));
  }
  return textures;
}

void TextureResolver::check_bound(const Kernel& kernel, const std::vector<TextureSpec>& textures, const Module& module,
                                  const SourceLocation& where) {
  std::vector<std::uint32_t> reported;
  for (const Instruction& instruction : kernel.code) {
    if (instruction.opcode != Opcode::tex) continue;
    const std::uint32_t slot = instruction.texture().texture;
    const bool bound = std::any_of(textures.begin(), textures.end(), [slot](const auto& t) { return t.slot == slot; });
    if (bound || std::find(reported.begin(), reported.end(), slot) != reported.end()) continue;
    reported.push_back(slot);
    std::string name;
    for (const TextureReference& reference : module.textures) {
      if (reference.slot == slot) name = " ('" + reference.name + "')";
    }
    mistakes_.error(
        {"LAUNCH-MISSING",
         fmt::format("kernel '{}' reads texture slot {}{}, to which nothing is bound", kernel.name, slot, name),
         where,
         "add a [[texture]] (docs/launch-files.md, Textures)",
         {}});
  }
}

}  // namespace teslasim
