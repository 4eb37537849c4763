// SPDX-License-Identifier: Apache-2.0
// Which loops LLVM unrolls, and why not those that the source asks for.
//
// Loops are unrolled as NVIDIA's compiler did it (PTX of nvopencc, 2009 and 2010, for the programs of the SDKs 2.2 and
// 3.0): whole if the number of turns is known from a counter that grows by a constant and the result is small,
// 16 turns of 11 instructions and 31 of 6 among them, else not at all. A counter that is halved tells no number, as
// its advisories say. What #pragma unroll asks for comes first.
#pragma once

#include <array>
#include <string>

namespace teslasim::cuda {

/// For opt. The threshold is LLVM's own unit.
inline constexpr std::array unrolling{"-unroll-runtime=0", "-unroll-allow-partial=0",
                                      "-scalar-evolution-max-iterations=0", "-unroll-threshold=600"};

/// What opt says of loops, for `unrolling_advisories`.
inline constexpr std::array unrolling_reasons{"-pass-remarks=loop-unroll", "-pass-remarks-missed=loop-unroll"};

/// `#pragma unroll` without a number is whole or not at all (NVIDIA 2009, CUDA programming guide 2.2, 3.1.2); clang's
/// is a part where the number of turns is not known.
[[nodiscard]] std::string with_whole_unrolling(std::string code);

/// `#pragma unroll N` around __syncthreads(): LLVM 14 refuses turns that are left over, since a call that depends on
/// what all lanes do would depend on one more branch. To a barrier come all lanes or none, so all leave the loop at
/// once: it may be unrolled while the barrier is any function, with `counted_loops` and its options. Votes stay what
/// they are, and their loops too. Loops that are whole or not at all are for the passes that follow.
[[nodiscard]] bool may_have_counted_barrier_loops(const std::string& code);
[[nodiscard]] std::string with_plain_barriers(const std::string& code);
[[nodiscard]] std::string with_true_barriers(const std::string& code);

inline constexpr const char* counted_loops = "function(loop-simplify,lcssa,loop(loop-rotate),instcombine,loop-unroll)";
/// Nothing that nobody asked for.
inline constexpr std::array counted_unrolling{unrolling[0], unrolling[1], unrolling[2], "-unroll-threshold=1"};

/// Messages of opt about `code` as warnings in clang's form.
[[nodiscard]] std::string unrolling_advisories(const std::string& errors, const std::string& code);

}  // namespace teslasim::cuda
