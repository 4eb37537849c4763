// SPDX-License-Identifier: Apache-2.0
// Atomic functions on 32-bit words. On global memory they need compute capability 1.1, on shared memory 1.2, which only
// the compiler behind can tell apart.
#pragma once

#include "device_functions.h"

#if TESLASIM_CAPABILITY >= 110
#define TESLASIM_ATOMIC(...) \
  { return __VA_ARGS__; }
#else
#define TESLASIM_ATOMIC(...) TESLASIM_NEEDS("1.1");
#endif
/// The same instruction for both signs.
#define TESLASIM_ATOMIC_PAIR(name, builtin)                                                                \
  TESLASIM_DEVICE int name(int* address, int value) TESLASIM_ATOMIC(__nvvm_atom_##builtin(address, value)) \
      TESLASIM_DEVICE unsigned int                                                                         \
      name(unsigned int* address, unsigned int value)                                                      \
          TESLASIM_ATOMIC(__nvvm_atom_##builtin(reinterpret_cast<int*>(address), value))

TESLASIM_ATOMIC_PAIR(atomicAdd, add_gen_i)
TESLASIM_ATOMIC_PAIR(atomicExch, xchg_gen_i)
TESLASIM_ATOMIC_PAIR(atomicAnd, and_gen_i)
TESLASIM_ATOMIC_PAIR(atomicOr, or_gen_i)
TESLASIM_ATOMIC_PAIR(atomicXor, xor_gen_i)

TESLASIM_DEVICE int atomicSub(int* address, int value)
    TESLASIM_ATOMIC(__nvvm_atom_add_gen_i(address,
                                          static_cast<int>(0U - static_cast<unsigned int>(value)))) TESLASIM_DEVICE
    unsigned int atomicSub(unsigned int* address, unsigned int value)
        TESLASIM_ATOMIC(__nvvm_atom_add_gen_i(reinterpret_cast<int*>(address), 0U - value)) TESLASIM_DEVICE
    int atomicMin(int* address, int value) TESLASIM_ATOMIC(__nvvm_atom_min_gen_i(address, value)) TESLASIM_DEVICE
    unsigned int atomicMin(unsigned int* address, unsigned int value)
        TESLASIM_ATOMIC(__nvvm_atom_min_gen_ui(address, value)) TESLASIM_DEVICE int atomicMax(int* address, int value)
            TESLASIM_ATOMIC(__nvvm_atom_max_gen_i(address, value)) TESLASIM_DEVICE
    unsigned int atomicMax(unsigned int* address, unsigned int value)
        TESLASIM_ATOMIC(__nvvm_atom_max_gen_ui(address, value)) TESLASIM_DEVICE
    unsigned int atomicInc(unsigned int* address, unsigned int limit)
        TESLASIM_ATOMIC(__nvvm_atom_inc_gen_ui(address, limit)) TESLASIM_DEVICE
    unsigned int atomicDec(unsigned int* address, unsigned int limit)
        TESLASIM_ATOMIC(__nvvm_atom_dec_gen_ui(address, limit)) TESLASIM_DEVICE
    int atomicCAS(int* address, int expected, int value)
        TESLASIM_ATOMIC(__nvvm_atom_cas_gen_i(address, expected, value)) TESLASIM_DEVICE
    unsigned int atomicCAS(unsigned int* address, unsigned int expected, unsigned int value)
        TESLASIM_ATOMIC(__nvvm_atom_cas_gen_i(reinterpret_cast<int*>(address), expected, value)) TESLASIM_DEVICE
    float atomicExch(float* address, float value)
        TESLASIM_ATOMIC(__int_as_float(__nvvm_atom_xchg_gen_i(reinterpret_cast<int*>(address), __float_as_int(value))))

#undef TESLASIM_ATOMIC
#undef TESLASIM_ATOMIC_PAIR
