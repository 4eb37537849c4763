// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/sample_request.h"

#include <algorithm>

namespace teslasim::cudart {

SampleRequest SampleRequest::parse(const std::string& text) {
  SampleRequest request;
  const std::size_t place = text.find("blocks");
  const std::string launches = text.substr(0, place);
  if (place != std::string::npos) request.blocks = BlockSampleRule::parse(text.substr(place));
  if (place == 0) return request;
  const bool both = request.blocks && launches.ends_with(',');
  request.launches = SampleRule::parse(both ? launches.substr(0, launches.size() - 1) : text);
  return request;
}

}  // namespace teslasim::cudart
