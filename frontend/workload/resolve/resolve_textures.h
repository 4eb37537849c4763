// SPDX-License-Identifier: Apache-2.0
// The textures of a launch: from drafts to images in buffers, bound to the slots that the code names.
#pragma once

#include <string>
#include <vector>

#include "frontend/workload.h"
#include "frontend/workload/read/draft.h"
#include "frontend/workload/read/source_text.h"
#include "frontend/workload/resolve/resolve_parameters.h"

namespace teslasim {

class TextureResolver {
 public:
  TextureResolver(ParameterResolver& parameters, const std::vector<BufferSpec>& buffers, MistakeList& mistakes)
      : parameters_(parameters), buffers_(buffers), mistakes_(mistakes) {}

  /// Images with contents of their own become buffers. `module` may be nullptr: names of references are then unknown.
  [[nodiscard]] std::vector<TextureSpec> resolve(const std::vector<TextureDraft>& drafts, const Module* module);

  /// LAUNCH-MISSING for every slot that the kernel reads and no texture is bound to.
  void check_bound(const Kernel& kernel, const std::vector<TextureSpec>& textures, const Module& module,
                   const SourceLocation& where);

 private:
  std::optional<TextureSpec> texture(const TextureDraft& draft, const Module* module);
  bool set_slot(const TextureDraft& draft, const Module* module, TextureSpec& texture);
  bool set_format(const TextureDraft& draft, TextureSpec& texture);
  bool set_size(const TextureDraft& draft, TextureSpec& texture);
  bool set_sampler(const TextureDraft& draft, TextureSpec& texture);
  bool set_address_modes(const TextureDraft& draft, TextureSpec& texture);
  bool set_image(const TextureDraft& draft, TextureSpec& texture);
  bool existing_buffer(const TextureDraft& draft, TextureSpec& texture);
  bool own_buffer(const TextureDraft& draft, TextureSpec& texture);
  /// One of `words`, or LAUNCH-TYPE.
  std::optional<std::size_t> choice(const LocatedText& value, const std::string& key,
                                    const std::vector<std::string>& words);
  void refuse(const SourceLocation& where, const std::string& message, const std::string& help = "");

  ParameterResolver& parameters_;
  const std::vector<BufferSpec>& buffers_;
  MistakeList& mistakes_;
};

}  // namespace teslasim
