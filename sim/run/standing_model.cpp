// SPDX-License-Identifier: Apache-2.0
#include "sim/run/standing_model.h"

#include <utility>

namespace teslasim {

StandingModel::StandingModel(const RunSettings& settings, Profiling profiling, const MachineSpec& machine,
                             const Calibration* calibration) {
  LaunchModelParts parts{machine, calibration,
                         [this](const Launch& launch, const ExecutionStreamOptions& options) {
                           return make_stream(stream_, launch, options);
                         },
                         [this] { return executes_ && executes_(); }};
  model_ = make_launch_model(settings, profiling, std::move(parts));
}

void StandingModel::serve(StreamFactory stream, std::function<bool()> executes) {
  stream_ = std::move(stream);
  executes_ = std::move(executes);
}

}  // namespace teslasim
