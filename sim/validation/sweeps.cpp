// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/sweeps.h"

#include <fmt/format.h>

namespace teslasim {
namespace {

constexpr std::string_view place = "{x}";

MeasureTask task_of(const SweepSeries& series, double x) {
  std::string text(series.measure);
  for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place)) {
    text.replace(at, place.size(), fmt::format("{:g}", x));
  }
  return {std::string(series.machine), text};
}

std::vector<double> from_to(int first, int last, int step = 1) {
  std::vector<double> values;
  for (int value = first; value <= last; value += step) values.push_back(value);
  return values;
}

std::vector<Sweep> throughput_sweeps() {
  const std::vector<double> warps{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32};
  return {
      {"e1-throughput",
       "E1",
       "Instruction throughput against warps, GTX 285",
       "warps per SM",
       "10^9 warp instructions / s",
       false,
       warps,
       {{"mad (type II)", "gtx285", "throughput wrapper=compiled step=mad_3 COUNT=12 warps={x} as=ginstr"},
        {"mul (type I)", "gtx285", "throughput wrapper=compiled step=mul_2 COUNT=12 warps={x} as=ginstr"},
        {"rcp (type III)", "gtx285", "throughput wrapper=compiled step=rcp_1 COUNT=12 warps={x} as=ginstr"},
        {"f64 mad (type IV)", "gtx285", "throughput file=double step=fma_2 warps={x} as=ginstr"}},
       {{"ZO-IT-6", 6}, {"ZO-IT-16", 16}, {"ZO-IT-32", 32}}},
      {"e1-cpi",
       "E1",
       "Cycles per multiply-add against warps",
       "warps per SM",
       "SP cycles / warp instruction",
       false,
       warps,
       {{"C870", "c870", "throughput step=mad_3 COUNT=12 warps={x}"},
        {"9800 GX2", "9800gx2", "throughput step=mad_3 COUNT=12 warps={x}"},
        {"T10P", "t10p", "throughput step=mad_3 COUNT=12 warps={x}"},
        {"GTX 285", "gtx285", "throughput wrapper=compiled step=mad_3 COUNT=12 warps={x}"},
        {"GTX 285, loop of 128", "gtx285", "throughput step=mad_3 COUNT=128 warps={x}"}},
       {{"ZO-IT-6cpi", 6}, {"ZO-IT-16cpi", 16}, {"ZO-IT-32cpi", 32}}},
  };
}

std::vector<Sweep> warp_sweeps() {
  return {
      {"e2-operands",
       "E2",
       "Latency of a dependent instruction by operands",
       "different source registers",
       "SP cycles",
       false,
       from_to(1, 3),
       {{"C870 mad", "c870", "latency step=mad_{x}"},
        {"T10P mad", "t10p", "latency step=mad_{x}"},
        {"T10P f64 mad", "t10p", "latency file=double step=fma_{x}"}},
       {}},
      {"e3-independent",
       "E3",
       "Independent multiply-adds of one warp",
       "independent chains",
       "SP cycles / instruction",
       false,
       from_to(1, 8),
       {{"C870", "c870", "latency step=independent_{x} per={x}"},
        {"T10P", "t10p", "latency step=independent_{x} per={x}"}},
       {{"COL-CPI1", 8}}},
      {"e10-barrier",
       "E10",
       "A barrier after a barrier",
       "warps in the block",
       "SP cycles",
       false,
       {1, 2, 4, 6, 8, 10, 12, 14, 16},
       {{"C870", "c870", "barrier_latency warps={x}"}, {"GTX 280", "gtx280", "barrier_latency warps={x}"}},
       {}},
      {"e11-paths",
       "E11",
       "Divergent paths of one warp",
       "paths",
       "time / time of one path",
       false,
       {1, 2, 4, 8, 16, 32},
       {{"8800 GTX", "8800gtx", "path_time paths={x}"}, {"GTX 280", "gtx280", "path_time paths={x}"}},
       {}},
  };
}

std::vector<Sweep> on_chip_sweeps() {
  return {
      {"e6-conflicts",
       "E6",
       "Shared operand by stride",
       "words between lanes",
       "SM cycles more than a register",
       false,
       from_to(1, 32),
       {{"C870", "c870", "latency file=shared step=shared_add STRIDE={x} minus=register_add_1 in=sm"},
        {"T10P", "t10p", "latency file=shared step=shared_add STRIDE={x} minus=register_add_1 in=sm"}},
       {{"COL-SMEMLAT-1", 1},
        {"COL-SMEMLAT-2", 2},
        {"COL-SMEMLAT-4", 4},
        {"COL-SMEMLAT-8", 8},
        {"COL-SMEMLAT-16", 16}}},
      {"e7-shared",
       "E7",
       "Shared-memory bandwidth against warps, GTX 285",
       "warps per SM",
       "GB/s",
       false,
       {1, 2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32},
       {{"dependent reads", "gtx285",
         "throughput file=shared wrapper=compiled step=shared_add COUNT=12 warps={x} as=gbs"},
        {"independent reads", "gtx285",
         "throughput file=shared wrapper=compiled step=shared_free COUNT=12 warps={x} as=gbs"}},
       {{"ZO-SH-6", 6}, {"ZO-SH-16", 16}, {"ZO-SH-32", 32}}},
      {"e8-constant",
       "E8",
       "Constant memory: chase by footprint, stride 64 bytes",
       "bytes",
       "SP cycles / access",
       true,
       {256, 512, 1024, 1536, 2048, 2560, 3072, 4096, 6144, 8192, 10240, 12288, 16384, 24576, 32768, 40960, 49152,
        65536},
       {{"C870", "c870", "constant_latency bytes={x}"}, {"GTX 280", "gtx280", "constant_latency bytes={x}"}},
       {}},
      {"e9-code",
       "E9",
       "Straight code in a loop by size, one warp",
       "bytes",
       "SP cycles / instruction",
       true,
       {1024, 2048, 3072, 4096, 5120, 6144, 8192, 10240, 12288, 16384, 24576, 32768, 40960, 49152, 65536},
       {{"C870", "c870", "code_cycles bytes={x}"}, {"GTX 280", "gtx280", "code_cycles bytes={x}"}},
       {}},
  };
}

std::vector<Sweep> latency_sweeps() {
  const std::vector<double> footprints{4, 16, 64, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072};
  return {
      {"e12-latency-c870",
       "E12",
       "Device memory: chase by footprint, C870",
       "KB",
       "ns",
       true,
       footprints,
       {{"stride 4 KB", "c870", "chase kb={x} stride=4096 in=ns"},
        {"stride 64 KB", "c870", "chase kb={x} stride=65536 in=ns"},
        {"stride 512 KB", "c870", "chase kb={x} stride=524288 in=ns"}},
       {}},
      {"e13-texture",
       "E13",
       "Texture reads: chase by footprint, stride 32 bytes where not said otherwise",
       "KB",
       "ns",
       true,
       {1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 80, 96, 112, 128, 192, 256, 320, 384, 512, 1024},
       {{"T10P", "t10p", "texture_chase kb={x} in=ns"},
        {"GTX 280", "gtx280", "texture_chase kb={x} in=ns"},
        {"8800 GTX", "8800gtx", "texture_chase kb={x} in=ns"},
        {"GTX 280, stride 256", "gtx280", "texture_chase kb={x} stride=256 in=ns"}},
       {{"COL-TEXHIT", 2}}},
      {"e12-latency-gtx280",
       "E12",
       "Device memory: chase by footprint, GTX 280",
       "KB",
       "ns",
       true,
       footprints,
       {{"stride 16 KB", "gtx280", "chase kb={x} stride=16384 in=ns"},
        {"stride 256 KB", "gtx280", "chase kb={x} stride=262144 in=ns"},
        {"stride 512 KB", "gtx280", "chase kb={x} stride=524288 in=ns"}},
       {}},
  };
}

std::vector<Sweep> copy_sweeps() {
  return {
      {"e14-stride",
       "E14",
       "Copy with a stride",
       "words between threads",
       "GB/s used",
       false,
       from_to(1, 17, 2),
       {{"8800 GTX", "8800gtx", "bandwidth blocks=300 stride={x}"},
        {"GTX 280", "gtx280", "bandwidth blocks=300 stride={x}"}},
       {}},
      {"e14-offset",
       "E14",
       "Copy with an offset",
       "words",
       "GB/s",
       false,
       {0, 1, 2, 4, 8, 12, 16},
       {{"8800 GTX", "8800gtx", "bandwidth blocks=300 offset={x}"},
        {"GTX 280", "gtx280", "bandwidth blocks=300 offset={x}"}},
       {}},
  };
}

std::vector<Sweep> bench_sweeps() {
  return {
      {"e28-mixbench",
       "E28",
       "Arithmetic against multiply-adds on each word that is read",
       "multiply-adds per word",
       "Gflop/s",
       true,
       {1, 2, 4, 6, 8, 10, 12, 14, 16, 32, 64, 128},
       {{"GTX 280", "gtx280", "mixbench mads={x}"}, {"8800 GTX", "8800gtx", "mixbench mads={x}"}},
       {}},
      {"e28-cachebench",
       "E28",
       "Reads through the texture caches against the size of the data set",
       "KB",
       "GB/s",
       true,
       {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048},
       {{"GTX 280", "gtx280", "cachebench kb={x}"}, {"8800 GTX", "8800gtx", "cachebench kb={x}"}},
       {}},
      {"e30-nbody",
       "E30",
       "Forces between all pairs of bodies against interactions per pass of the loop",
       "interactions",
       "Gflop/s (20 per interaction)",
       true,
       {1, 2, 4},
       {{"8800 GTX", "8800gtx", "kernel_rate launch=nbody.published/nbody_{x} work=335544320"}},
       {{"NBODY-1", 1}, {"NBODY-2", 2}, {"NBODY-4", 4}}},
  };
}

std::vector<Sweep> bandwidth_sweeps() {
  return {
      {"e15-blocks",
       "E15",
       "Reads against blocks",
       "blocks",
       "GB/s",
       false,
       from_to(1, 65, 1),
       {{"GTX 285, 512 threads", "gtx285", "stream_bandwidth blocks={x} threads=512 loads=4 rounds=4"},
        {"GTX 285, 128 threads", "gtx285", "stream_bandwidth blocks={x} threads=128 loads=4 rounds=4"},
        {"8800 GTX, 256 threads", "8800gtx", "stream_bandwidth blocks={x} threads=256 loads=4 rounds=8"}},
       {}},
      {"e15-loads",
       "E15",
       "Reads against loads per thread, GTX 285, 30 blocks",
       "loads per thread and round",
       "GB/s",
       false,
       {1, 2, 3, 4, 6, 8},
       {{"64 threads", "gtx285", "stream_bandwidth threads=64 loads={x}"},
        {"128 threads", "gtx285", "stream_bandwidth threads=128 loads={x}"},
        {"256 threads", "gtx285", "stream_bandwidth threads=256 loads={x}"},
        {"512 threads", "gtx285", "stream_bandwidth threads=512 loads={x}"}},
       {}},
      {"e15-camping",
       "E15",
       "Reads of columns against the width of the matrix",
       "words of a row",
       "GB/s",
       false,
       from_to(256, 1056, 16),
       {{"GTX 280, 8 partitions", "gtx280", "column_bandwidth width={x}"},
        {"8800 GTX, 6 partitions", "8800gtx", "column_bandwidth width={x}"}},
       {}},
      {"e16-segments",
       "E16",
       "Loads of a full SM against different segments of a half-warp",
       "segments",
       "time / time of consecutive words",
       false,
       {1, 2, 4, 8, 16},
       {{"GTX 280", "gtx280", "divergence_loss words={x}"}, {"8800 GTX", "8800gtx", "divergence_loss words={x}"}},
       {}},
  };
}

double published_value(std::string_view id) {
  for (const PublishedRow& row : published_rows()) {
    if (row.id == id) return row.number().value_or(0.0);
  }
  return 0.0;
}

}  // namespace

const std::vector<Sweep>& sweeps() {
  static const std::vector<Sweep> all = [] {
    std::vector<Sweep> list = throughput_sweeps();
    for (const auto& more : {warp_sweeps(), on_chip_sweeps(), latency_sweeps(), copy_sweeps(), bandwidth_sweeps(),
                             bench_sweeps(), mixture_sweeps()})
      list.insert(list.end(), more.begin(), more.end());
    return list;
  }();
  return all;
}

std::vector<Plot> measured_plots(const std::vector<Sweep>& wanted, const WorkerOptions& options) {
  std::vector<MeasureTask> tasks;
  for (const Sweep& sweep : wanted) {
    for (const SweepSeries& series : sweep.series) {
      for (const double x : sweep.x) tasks.push_back(task_of(series, x));
    }
  }
  const std::vector<MeasureOutcome> outcomes = run_measurements(tasks, options);
  std::vector<Plot> plots;
  auto outcome = outcomes.begin();
  for (const Sweep& sweep : wanted) {
    Plot plot{
        std::string(sweep.title), std::string(sweep.x_label), std::string(sweep.y_label), sweep.logarithmic_x, {}};
    for (const SweepSeries& series : sweep.series) {
      PlotCurve curve{std::string(series.label), {}, false};
      for (const double x : sweep.x) {
        if (outcome->number) curve.points.emplace_back(x, *outcome->number);
        ++outcome;
      }
      plot.curves.push_back(std::move(curve));
    }
    PlotCurve published{"published", {}, true};
    for (const PublishedPoint& point : sweep.published)
      published.points.emplace_back(point.x, published_value(point.id));
    if (!published.points.empty()) plot.curves.push_back(std::move(published));
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace teslasim
