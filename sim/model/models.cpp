// SPDX-License-Identifier: Apache-2.0
// The table of analytical models: the rows of models.def.
#include <array>

#include "sim/model/analytical/analytical.h"
#include "sim/model/model.h"

namespace teslasim {
namespace {

const std::array launch_models{
#define MODEL(evaluate, ...) Model{__VA_ARGS__, evaluate},
#include "sim/model/models.def"
#undef MODEL
};

}  // namespace

std::span<const Model> models() {
  return launch_models;
}

}  // namespace teslasim
