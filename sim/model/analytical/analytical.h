// SPDX-License-Identifier: Apache-2.0
// The evaluation functions of the analytical models, one file each; models.cpp has the rows that name them.
#pragma once

#include "sim/model/model.h"

namespace teslasim {

void evaluate_occupancy(Evaluation& e);
void evaluate_roofline(Evaluation& e);
void evaluate_quadrant_split(Evaluation& e);
void evaluate_quantitative_roofline(Evaluation& e);
void evaluate_hong_kim(Evaluation& e);
void evaluate_pipeline_warp_parallelism(Evaluation& e);
void evaluate_launch_overhead(Evaluation& e);
void evaluate_zhang_owens(Evaluation& e);
void evaluate_latency_throughput(Evaluation& e);
void evaluate_intervals(Evaluation& e);
void evaluate_guz_valley(Evaluation& e);
void evaluate_scratchpad(Evaluation& e);
void evaluate_equal_area(Evaluation& e);
void evaluate_qr_communication(Evaluation& e);
void evaluate_vector_memory(Evaluation& e);

/// Ends the evaluation for a grid of one block: models of a filled machine have nothing to say about it.
void refuse_one_block(Evaluation& e);

}  // namespace teslasim
