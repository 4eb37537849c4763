// SPDX-License-Identifier: Apache-2.0
// Inputs of a model written by hand: published figures, or counts profiled elsewhere.
//
//   schema = "teslasim.model_inputs/1"
//   model = "hong-kim"        # may be left out when --model names it
//   [inputs]
//   mem_ld = 420              # source: Hong & Kim 2009, Table 3
//   [inputs.stage.0]
//   mad_insts = 33554432
//
// Codes: GIVEN-SCHEMA, GIVEN-MODEL, GIVEN-UNKNOWN, GIVEN-VALUE, and those of TOML itself; all mistakes at once.
#pragma once

#include <string>

#include "sim/model/model.h"

namespace teslasim {

struct GivenInputs {
  const Model* model = nullptr;
  InputSet inputs;
};

/// Reads and checks the text of such a file; `place` is its name in messages and in the origins of the inputs.
/// `model` is the name given with --model, or empty. Throws InputError (ExitCode::configuration).
[[nodiscard]] GivenInputs read_given_inputs(const std::string& place, const std::string& text,
                                            const std::string& model);

}  // namespace teslasim
