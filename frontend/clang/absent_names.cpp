// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/absent_names.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace teslasim::cuda {
namespace {

/// A '*' at the end or the beginning of a name stands for anything.
struct Row {
  std::string_view name;
  std::string_view reason;  ///< completes "'NAME' "
  std::string_view help;
};

constexpr std::string_view from_2_0 = "needs compute capability 2.0";
constexpr std::string_view from_3_0 = "needs compute capability 3.0";
constexpr std::string_view in_step = "threads of a warp run in step on these chips: leave the mask and the barrier out";
constexpr std::string_view by_buffer =
    "write values to a buffer and print them on the host, or look at them with `teslasim debug`";
constexpr std::string_view by_bits =
    "collect bits in shared memory; from 1.2, __all and __any tell whether there are any";
constexpr std::string_view by_host = "allocate with cudaMalloc on the host, and give the kernel the address";
constexpr std::string_view by_reference = "declare a texture reference: texture<float, 2> t; and bind it on the host";
constexpr std::string_view by_writes = "write to global memory, and read it in the next launch through a texture";
constexpr std::string_view by_operators = "x / y, 1 / x and sqrt(x) of double round to nearest here";
constexpr std::string_view series = "add up its series in a function of your own";

// The first row that fits counts.
constexpr Row names[] = {
    {"__ballot", from_2_0, by_bits},
    {"__syncthreads_*", from_2_0, "count in shared memory between two __syncthreads"},
    {"__threadfence_system", from_2_0, "__threadfence orders what other threads of the device see"},
    {"clock64", from_2_0, "clock() gives the lower 32 bits: differences are right up to 2^32 cycles"},
    {"printf", from_2_0, by_buffer},
    {"puts", from_2_0, by_buffer},
    {"putchar", from_2_0, by_buffer},
    {"malloc", from_2_0, by_host},
    {"calloc", from_2_0, by_host},
    {"free", from_2_0, by_host},
    {"__assert_fail", from_2_0, "write a flag to memory and check it on the host, or `__trap();`"},
    {"surface", from_2_0, by_writes},
    {"surf1D*", from_2_0, by_writes},
    {"surf2D*", from_2_0, by_writes},
    {"surf3D*", from_2_0, by_writes},
    {"cudaSurfaceObject_t", from_3_0, by_writes},
    {"cudaTextureObject_t", from_3_0, by_reference},
    {"tex2DLayered", from_2_0, "make one wide or tall image of the layers, or a volume for tex3D"},
    {"tex1DLayered", from_2_0, "make an image of the layers for tex2D"},
    {"cudaTextureType*Layered", from_2_0, "make one wide or tall image of the layers, or a volume for tex3D"},
    {"texCubemap*", from_2_0, "make an image of the six faces for tex2D"},
    {"tex2Dgather", from_2_0, "read the four texels with tex2D"},
    {"__ddiv_*", from_2_0, by_operators},
    {"__drcp_*", from_2_0, by_operators},
    {"__dsqrt_*", from_2_0, by_operators},
    {"__fmaf_ieee_*", from_2_0, "__fmaf_rn and its kin take denormals for zero, as these chips do"},
    {"__isGlobal", from_2_0, "what a pointer points to must be known when the kernel is compiled"},
    {"__shfl*", from_3_0, "hand values over in shared memory"},
    {"__ldg", "needs compute capability 3.5",
     "read the pointer itself, or through the cache of textures with tex1Dfetch"},
    {"__funnelshift_*", "needs compute capability 3.5", "(high << n) | (low >> (32 - n))"},
    {"__syncwarp", "needs compute capability 7.0", in_step},
    {"__activemask", "needs compute capability 7.0", in_step},
    {"__ballot_sync", "needs compute capability 7.0", by_bits},
    {"__any_sync", "needs compute capability 7.0", "__any(predicate), from compute capability 1.2"},
    {"__all_sync", "needs compute capability 7.0", "__all(predicate), from compute capability 1.2"},
    {"__nanosleep", "needs compute capability 7.0", "wait in a loop that reads clock()"},
    {"__dp4a", "needs compute capability 6.1", "multiply and add the bytes one by one"},
    {"atomic*_system", "needs compute capability 6.0", "the same function without _system"},
    {"atomic*_block", "needs compute capability 6.0", "the same function without _block"},
    {"cooperative_groups", from_3_0, "__syncthreads for the block; end the kernel and launch the next for the grid"},
    {"__half", "needs compute capability 5.3", "__half2float and __float2half_rn read and make bits of halves"},
    {"__half2", "needs compute capability 5.3", "__half2float and __float2half_rn read and make bits of halves"},
    {"__double2*", "needs compute capability 1.3", "compute with floats: __float2int_rn and its kin"},
    {"__int2double_*", "needs compute capability 1.3", "compute with floats: __int2float_rn and its kin"},
    {"__uint2double_*", "needs compute capability 1.3", "compute with floats: __uint2float_rn and its kin"},
    {"__ll2double_*", "needs compute capability 1.3", "compute with floats: __ll2float_rn and its kin"},
    {"__ull2double_*", "needs compute capability 1.3", "compute with floats: __ull2float_rn and its kin"},
    {"__double_as_longlong", "needs compute capability 1.3", "__float_as_int"},
    {"__longlong_as_double", "needs compute capability 1.3", "__int_as_float"},
    {"__hiloint2double", "needs compute capability 1.3", "__int_as_float"},
    {"__dadd_*", "needs compute capability 1.3", "__fadd_rn and its kin"},
    {"__dmul_*", "needs compute capability 1.3", "__fmul_rn and its kin"},
    {"__fma_*", "needs compute capability 1.3", "__fmaf_rn and its kin"},
    {"j0", "is not there", series},
    {"j0f", "is not there", series},
    {"j1", "is not there", series},
    {"j1f", "is not there", series},
    {"jn", "is not there", series},
    {"jnf", "is not there", series},
    {"y0", "is not there", series},
    {"y0f", "is not there", series},
    {"y1", "is not there", series},
    {"y1f", "is not there", series},
    {"yn", "is not there", series},
    {"ynf", "is not there", series},
    {"rand", "is of the host's library", "keep a state per thread: state = state * 1664525u + 1013904223u"},
    {"curand*", "is of a library of NVIDIA that is not part of teslasim",
     "keep a state per thread: state = state * 1664525u + 1013904223u"},
    {"thrust", "is of a library that is not part of teslasim", "write the kernels that the program needs of it"},
};
constexpr std::string_view own_kernels =
    "write the kernels that the program needs of it, or compute that part on the host";
constexpr std::string_view of_nvidia = "is of a library of NVIDIA that is not part of teslasim";
constexpr Row headers[] = {
    {"cufft*", of_nvidia, own_kernels},
    {"cublas*", of_nvidia, own_kernels},
    {"cusparse*", of_nvidia, own_kernels},
    {"cusolver*", of_nvidia, own_kernels},
    {"curand*", of_nvidia, "keep a state per thread: state = state * 1664525u + 1013904223u"},
    {"npp*", of_nvidia, own_kernels},
    {"cudpp*", "is of a library that is not part of teslasim", own_kernels},
    {"thrust/*", "is of a library that is not part of teslasim", own_kernels},
    {"cub/*", "is of a library that is not part of teslasim", own_kernels},
    {"cooperative_groups*", from_3_0, "__syncthreads for the block; end the kernel and launch the next for the grid"},
    {"cuda_fp16.h", "needs compute capability 5.3", "__half2float and __float2half_rn read and make bits of halves"},
    {"mma.h", "needs compute capability 7.0", "multiply with floats"},
    {"cuda_gl_interop.h", "is for graphics, which are not simulated", "leave out what draws, with a macro (-D)"},
    {"cuda_d3d*", "is for graphics, which are not simulated", "leave out what draws, with a macro (-D)"},
    {"GL/*", "is for graphics, which are not simulated", "leave out what draws, with a macro (-D)"},
};

bool fits(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  const std::string_view end = pattern.substr(star + 1);
  return name.size() >= star + end.size() && name.starts_with(pattern.substr(0, star)) && name.ends_with(end);
}

template <std::size_t count>
std::optional<AbsentName> row_of(const Row (&rows)[count], std::string_view name) {
  const Row* const row = std::find_if(rows, std::end(rows), [name](const Row& one) { return fits(one.name, name); });
  if (row == std::end(rows)) return std::nullopt;
  // A macro stands for the function that it calls.
  const std::string shown(name == "__assert_fail" ? "assert" : name);
  return AbsentName{"'" + shown + "' " + std::string(row->reason), std::string(row->help)};
}

}  // namespace

std::optional<AbsentName> absent_name(std::string_view name) {
  return row_of(names, name);
}

std::optional<AbsentName> absent_header(std::string_view name) {
  return row_of(headers, name);
}

std::optional<AbsentName> absent_atomic(std::string_view name, std::string_view type) {
  constexpr std::string_view loop =
      "repeat atomicCAS on the bits until no other thread came between, or sum up in shared memory first";
  const auto absent = [&](std::string_view level) {
    return AbsentName{
        "'" + std::string(name) + "' on " + std::string(type) + " needs compute capability " + std::string(level),
        std::string(loop)};
  };
  if (!name.starts_with("atomic")) return std::nullopt;
  if (type == "float" && name == "atomicAdd") return absent("2.0");
  if (type == "double" && name == "atomicAdd") return absent("6.0");
  if (type == "unsigned long long") return absent("3.5");
  if (type == "long long" || type == "long")
    return AbsentName{"'" + std::string(name) + "' takes no " + std::string(type),
                      "cast the address to unsigned long long*, on which atomicAdd, atomicExch and atomicCAS work"};
  return std::nullopt;
}

}  // namespace teslasim::cuda
