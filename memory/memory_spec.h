// SPDX-License-Identifier: Apache-2.0
// Parameters of everything between the SMs and the DRAM. Latencies are in ns, as published; each is turned into whole
// femtoseconds once. This memory side is the simple one: fixed latencies and one bandwidth per partition; no caches, no
// TLBs, no DRAM banks.
#pragma once

#include <tuple>

#include "sim/base/config.h"

namespace teslasim {

struct TpcSpec {
  double request_ns = 10.0;
  double response_ns = 40.0;
  unsigned queue = 16;
  static constexpr auto fields = std::tuple{
      field("request_ns", &TpcSpec::request_ns, 0.1, 10000.0, "ns", "SM to the memory unit of its TPC"),
      field("response_ns", &TpcSpec::response_ns, 0.1, 10000.0, "ns",
            "memory unit to the SM, after the last arbitration; bounds how far the SMs may run ahead"),
      field("queue", &TpcSpec::queue, 1, 1024, "transactions", "request queue of the memory unit, per SM"),
  };
};

struct NocSpec {
  double request_ns = 30.0;
  double response_ns = 30.0;
  unsigned queue = 16;
  static constexpr auto fields = std::tuple{
      field("request_ns", &NocSpec::request_ns, 0.1, 10000.0, "ns", "TPC to partition, unloaded"),
      field("response_ns", &NocSpec::response_ns, 0.1, 10000.0, "ns", "partition to TPC, unloaded"),
      field("queue", &NocSpec::queue, 1, 1024, "transactions", "crossbar input queue, per TPC and partition"),
  };
};

struct DramSpec {
  unsigned partitions = 8;
  unsigned bus_width_bits_per_partition = 64;
  unsigned interleave_bytes = 256;
  double latency_ns = 200.0;
  unsigned queue = 32;
  static constexpr auto fields = std::tuple{
      field("partitions", &DramSpec::partitions, 1, 16, "partitions", "memory partitions; need not be a power of two"),
      field("bus_width_bits_per_partition", &DramSpec::bus_width_bits_per_partition, power_of_two{16, 256}, "bits",
            "data bus of one partition"),
      field("interleave_bytes", &DramSpec::interleave_bytes, power_of_two{128, 65536}, "bytes",
            "consecutive bytes in one partition; at least the largest transaction"),
      field("latency_ns", &DramSpec::latency_ns, 0.1, 10000.0, "ns",
            "access time of a transaction that finds the bus free, without its transfer"),
      field("queue", &DramSpec::queue, 1, 1024, "transactions", "request queue of one partition"),
  };
};

}  // namespace teslasim
