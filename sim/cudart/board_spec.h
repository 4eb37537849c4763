// SPDX-License-Identifier: Apache-2.0
// The board around the chip as host programs see it: how much memory there is, and what copies between host and board
// cost. No kernel takes longer or shorter for it.
//
// Stands for the PCI Express link with the driver's way to start a copy. Not modelled: packets, other traffic of the
// host, NUMA.
#pragma once

#include "sim/base/config.h"

namespace teslasim::cudart {

struct BoardSpec {
  unsigned memory_mb = 1024;
  double copy_us = 10.0;
  double pinned_to_device_gbs = 5.7;
  double pinned_to_host_gbs = 5.7;
  double pageable_to_device_gbs = 2.9;
  double pageable_to_host_gbs = 2.9;
  double device_copy_share = 0.83;
  double kernel_limit_s = 2.0;
  static constexpr auto fields(const auto& visit) {
    return visit(
        field("memory_mb", &BoardSpec::memory_mb, 16, 4096, "MiB", "device memory; kernels reach 3 GiB of it"),
        field("copy_us", &BoardSpec::copy_us, 0.0, 1e6, "us", "any copy between host and board, before its first byte"),
        field("pinned_to_device_gbs", &BoardSpec::pinned_to_device_gbs, 0.01, 1000.0, "GB/s",
              "copies from page-locked memory of the host to the board"),
        field("pinned_to_host_gbs", &BoardSpec::pinned_to_host_gbs, 0.01, 1000.0, "GB/s",
              "copies from the board to page-locked memory of the host"),
        field("pageable_to_device_gbs", &BoardSpec::pageable_to_device_gbs, 0.01, 1000.0, "GB/s",
              "copies from other memory of the host to the board, by way of a buffer of the driver"),
        field("pageable_to_host_gbs", &BoardSpec::pageable_to_host_gbs, 0.01, 1000.0, "GB/s",
              "copies from the board to other memory of the host, by way of a buffer of the driver"),
        field("device_copy_share", &BoardSpec::device_copy_share, 0.01, 1.0, "",
              "part of the peak bandwidth of DRAM that copies within the board reach, reads and writes together"),
        field("kernel_limit_s", &BoardSpec::kernel_limit_s, 0.0, 1e6, "s",
              "a kernel that takes longer ends with cudaErrorLaunchTimeout, as on boards with a display; 0: none"));
  }
};

}  // namespace teslasim::cudart
