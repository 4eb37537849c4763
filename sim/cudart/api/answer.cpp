// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/api/answer.h"

#include "sim/run/console.h"

namespace teslasim::cudart {

cudaError_t error_of(const InputError& error) {
  print_diagnostics(error.diagnostics(), Paint::plain);
  switch (error.exit_code()) {
    case ExitCode::environment:
      return cudaErrorMemoryAllocation;
    case ExitCode::kernel:
      return cudaErrorLaunchFailure;
    case ExitCode::input:
      return cudaErrorInvalidKernelImage;
    default:
      return cudaErrorUnknown;
  }
}

cudaError_t internal_error(const char* what) {
  Diagnostic problem;
  problem.code = "INTERNAL";
  problem.message = what;
  problem.help = "this is a bug in teslasim: please report it with the program";
  print_diagnostics({problem}, Paint::plain);
  return cudaErrorUnknown;
}

}  // namespace teslasim::cudart
