// SPDX-License-Identifier: Apache-2.0
// Error codes in words.
#include "sim/cudart/api/answer.h"

namespace teslasim::cudart {
namespace {

struct ErrorName {
  cudaError_t error;
  const char* name;
  const char* text;
};

constexpr ErrorName error_names[] = {
#define TESLASIM_ERROR(name, text) {name, #name, text},
#include "sim/cudart/api/error_names.def"
#undef TESLASIM_ERROR
};

const ErrorName* find(cudaError_t error) {
  for (const ErrorName& one : error_names) {
    if (one.error == error) return &one;
  }
  return nullptr;
}

}  // namespace
}  // namespace teslasim::cudart

const char* cudaGetErrorString(cudaError_t error) {
  const auto* found = teslasim::cudart::find(error);
  return found != nullptr ? found->text : "unrecognized error code";
}
const char* cudaGetErrorName(cudaError_t error) {
  const auto* found = teslasim::cudart::find(error);
  return found != nullptr ? found->name : "unrecognized error code";
}
