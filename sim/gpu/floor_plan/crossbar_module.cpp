// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/floor_plan/crossbar_module.h"

namespace teslasim {

namespace {

constexpr unsigned only_port = 0;

CrossbarNetwork::Shape request_shape(const MemoryPath& path) {
  CrossbarNetwork::Shape shape;
  shape.inputs = path.clients();
  shape.outputs = path.partitions();
  shape.places = path.places.crossbar_requests;
  shape.receiver_places = path.places.partition_requests;
  shape.output_latency = path.latency.crossbar_to_partition;
  shape.credit_latency = path.latency.crossbar_to_tpc;
  shape.period = path.plan.core_period;
  shape.width_bytes = path.request_width_bytes;
  shape.only_writes_carry_data = true;
  shape.input_name = "tpc";
  shape.output_name = "partition";
  return shape;
}

CrossbarNetwork::Shape response_shape(const MemoryPath& path) {
  CrossbarNetwork::Shape shape;
  shape.inputs = path.partitions();
  shape.outputs = path.clients();
  shape.places = path.places.crossbar_responses;
  shape.output_latency = path.latency.crossbar_to_tpc;
  shape.credit_latency = path.latency.tpc_to_crossbar;
  shape.period = path.plan.core_period;
  shape.width_bytes = path.width_bytes;
  shape.input_name = "partition";
  shape.output_name = "tpc";
  return shape;
}

}  // namespace

CrossbarModule::CrossbarModule(const sc_core::sc_module_name& name, const MemoryPath& path)
    : sc_module(name), request_network_(request_shape(path)), response_network_(response_shape(path)) {
  to_partition.init(path.partitions());
  credit_to_partition.init(path.partitions());
  to_tpc.init(path.clients());
  credit_to_tpc.init(path.clients());
  requests(request_gate_);
  responses(response_gate_);
  partition_credits(credit_gate_);
}

void CrossbarModule::end_of_elaboration() {
  clk.subscribe(*this, name());
  request_network_.connect(receivers_behind<TransactionReceiver>(to_partition), only_port,
                           receivers_behind<CreditReceiver>(credit_to_tpc));
  response_network_.connect(receivers_behind<TransactionReceiver>(to_tpc), only_port,
                            receivers_behind<CreditReceiver>(credit_to_partition));
}

void CrossbarModule::begin_launch() {
  request_network_.reset();
  response_network_.reset();
}

Femtoseconds CrossbarModule::advance(Femtoseconds now, Femtoseconds) {
  return lesser(request_network_.advance(now), response_network_.advance(now));
}

void CrossbarModule::describe_pending(std::vector<std::string>& lines) const {
  request_network_.describe_pending(lines);
  response_network_.describe_pending(lines);
}

}  // namespace teslasim
