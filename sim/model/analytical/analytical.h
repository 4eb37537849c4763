// SPDX-License-Identifier: Apache-2.0
// The evaluation functions of the analytical models, as the rows of models.def name them.
#pragma once

#include "sim/model/model.h"

namespace teslasim {

#define MODEL(evaluate, ...) void evaluate(Evaluation& e);
#include "sim/model/models.def"
#undef MODEL

/// Ends the evaluation for a grid of one block: models of a filled machine have nothing to say about it.
void refuse_one_block(Evaluation& e);

}  // namespace teslasim
