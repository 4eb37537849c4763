// SPDX-License-Identifier: Apache-2.0
// Roofline and its other drawing, the quadrant-split.
#include <algorithm>

#include "sim/model/analytical/analytical.h"

namespace teslasim {
namespace {

constexpr double giga = 1e9;

/// O_krn: given, or work over traffic. 0 when the launch moves nothing.
double kernel_intensity(Evaluation& e) {
  double intensity = 0.0;
  if (e.has("operational_intensity")) {
    intensity = e.need("operational_intensity");
  } else {
    e.require({"operations", "bytes"});
    if (e.need("operations") <= 0.0) e.refuse("the launch has no operations of the kind that counts as work");
    if (e.need("bytes") <= 0.0) e.refuse("the launch moves no bytes: its operational intensity is infinite");
    intensity = e.need("operations") / e.need("bytes");
  }
  e.term("kernel_intensity", intensity, "op/B", "O_krn: operations per byte of the launch (eq. 2.2)");
  return intensity;
}

double device_intensity(Evaluation& e) {
  e.require({"peak_gops", "memory_gbs"});
  const double intensity = e.need("peak_gops") / e.need("memory_gbs");
  e.term("device_intensity", intensity, "op/B", "O_dev: where the two roofs meet (eq. 2.1)");
  return intensity;
}

}  // namespace

void evaluate_roofline(Evaluation& e) {
  if (e.has_all({"operations", "bytes"}) && !e.has_all({"peak_gops", "memory_gbs"})) kernel_intensity(e);
  const double device = device_intensity(e);
  const double kernel = kernel_intensity(e);
  const bool memory = kernel <= device;
  const double attainable = memory ? kernel * e.need("memory_gbs") : e.need("peak_gops");
  e.term("attainable_gops", attainable, "Gop/s", "the lower roof at the kernel's intensity (eq. 2.3)");
  e.bound(memory ? "memory" : "compute");
  if (e.has("operations")) e.seconds(e.need("operations") / (attainable * giga));
  e.note("an upper bound of speed: latency, instruction mix, divergence and conflicts are not seen");
}

void evaluate_quadrant_split(Evaluation& e) {
  const double device = device_intensity(e);
  const double kernel = kernel_intensity(e);
  const bool memory = device > kernel;
  const double bandwidth = e.need("memory_gbs"), peak = e.need("peak_gops");
  e.term("device_x", bandwidth, "GB/s", "the machine's point");
  e.term("device_y", peak, "Gop/s", "the machine's point");
  e.term("line_y", kernel * bandwidth, "Gop/s", "the kernel's line at the machine's bandwidth");
  e.term("meeting_x", memory ? bandwidth : peak / kernel, "GB/s", "where the machine's point meets the line");
  e.term("meeting_y", memory ? kernel * bandwidth : peak, "Gop/s", "down for memory bound, left for compute bound");
  e.bound(memory ? "memory" : "compute");
}

}  // namespace teslasim
