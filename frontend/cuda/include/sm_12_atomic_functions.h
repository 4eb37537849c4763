// SPDX-License-Identifier: Apache-2.0
// Atomic functions on 64-bit words of global memory, compute capability 1.2.
#pragma once

#include "sm_11_atomic_functions.h"

#if TESLASIM_CAPABILITY >= 120
#define TESLASIM_ATOMIC(...) \
  { return __VA_ARGS__; }
#else
#define TESLASIM_ATOMIC(...) TESLASIM_NEEDS("1.2");
#endif
#define TESLASIM_LONG reinterpret_cast<long long*>(address)

TESLASIM_DEVICE unsigned long long atomicAdd(unsigned long long* address, unsigned long long value)
    TESLASIM_ATOMIC(__nvvm_atom_add_gen_ll(TESLASIM_LONG, value)) TESLASIM_DEVICE
    unsigned long long atomicExch(unsigned long long* address, unsigned long long value)
        TESLASIM_ATOMIC(__nvvm_atom_xchg_gen_ll(TESLASIM_LONG, value)) TESLASIM_DEVICE
    unsigned long long atomicCAS(unsigned long long* address, unsigned long long expected, unsigned long long value)
        TESLASIM_ATOMIC(__nvvm_atom_cas_gen_ll(TESLASIM_LONG, expected, value))

#undef TESLASIM_ATOMIC
#undef TESLASIM_LONG
