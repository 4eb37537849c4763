// SPDX-License-Identifier: Apache-2.0
// Loops over shared, local and constant memory in which addresses grow: forwards, backwards, by bytes and structures,
// in loops within loops, with ends in the middle, where threads turn differently often.
#include "program.h"

#include "both_sides.h"

struct Cell {
  int value;
  short low, high;
  Byte bytes[4];
};
enum { LENGTH = 20, THREADS = 64 };
__constant__ int primes[32] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29,  31,  37,  41,  43,  47,  53,
                               59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127, 131};
static int host_primes[32];

BOTH inline Word mixed(Word left, Word right) {
  return left * 31u + (right ^ (right >> 7));
}

BOTH inline Word forwards(const int* words, int count) {
  Word sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i) sum += words[i];
  return sum;
}
BOTH inline Word backwards(const int* words, int count) {
  Word sum = 0;
#pragma unroll 1
  for (int i = count - 1; i >= 0; --i) sum = mixed(sum, words[i]);
  return sum;
}
BOTH inline Word in_steps(const int* words, int first, int step) {
  Word sum = 0;
#pragma unroll 1
  for (int i = first; i < LENGTH; i += step) sum = mixed(sum, words[i]);
  return sum;
}
BOTH inline Word until(const int* words, int count, int end) {
  int found = -1;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    if ((words[i] & 15) == end) {
      found = i;
      break;
    }
  }
  return found;
}
BOTH inline Word guarded(const int* words, const int* others, int count) {
  Word sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    if (words[i] & 1) sum += others[LENGTH - 1 - i];
  }
  return sum;
}
BOTH inline Word triangle(const int* words, int count) {
  Word sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
#pragma unroll 1
    for (int j = 0; j < i; ++j) sum += words[i] * words[j];
    sum = mixed(sum, words[i]);
  }
  return sum;
}
/// In place: what a turn writes the next one reads.
BOTH inline void prefix(int* words, int count) {
#pragma unroll 1
  for (int i = 1; i < count; ++i) words[i] += words[i - 1];
}
BOTH inline void reverse(int* words, int count) {
#pragma unroll 1
  for (int left = 0, right = count - 1; left < right; ++left, --right) {
    const int word = words[left];
    words[left] = words[right];
    words[right] = word;
  }
}
BOTH inline Word cells(Cell* all, int count) {
  Word sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    all[i].value = i * 77 + count;
    all[i].low = i - 5;
    all[i].high = i * i;
    all[i].bytes[i & 3] = i;
  }
#pragma unroll 1
  for (int i = 0; i < count; ++i) sum = mixed(sum, all[i].value + all[i].low * all[i].high + all[i].bytes[i & 3]);
#pragma unroll 1
  for (int i = 0; i < count; ++i) sum = mixed(sum, all[i].high);
  return sum;
}
BOTH inline Word bytes(Byte* all, int count) {
  Word sum = 0;
#pragma unroll 1
  for (int i = 0; i < count; ++i) all[i] = i * 5;
#pragma unroll 1
  for (int i = 0; i < count; ++i) sum += all[i];
  return sum;
}

BOTH inline Word walks(int* words, int* others, Cell* all, Byte* octets, const int* table, Word i) {
  Word state = i + 1;
  const int count = 1 + next_random(state) % (LENGTH - 1);
#pragma unroll 1
  for (int k = 0; k < LENGTH; ++k) {
    words[k] = next_random(state);
    others[k] = k * k - i;
  }
  Word sum = forwards(words, count);
  sum = mixed(sum, backwards(words, count));
  sum = mixed(sum, in_steps(words, i & 3, 1 + (i >> 3 & 3)));
  sum = mixed(sum, until(words, count, i & 15));
  sum = mixed(sum, guarded(words, others, count));
  sum = mixed(sum, triangle(words, count));
  prefix(words, count);
  reverse(others, count);
  sum = mixed(sum, backwards(words, LENGTH));
  sum = mixed(sum, forwards(others, LENGTH));
  sum = mixed(sum, cells(all, 1 + (i & 7)));
  sum = mixed(sum, bytes(octets, count));
  return mixed(sum, backwards(table, 1 + (i & 31)));
}

__global__ void walk_shared(Word* out) {
  __shared__ int words[THREADS][LENGTH], others[THREADS][LENGTH];
  __shared__ Byte octets[THREADS][LENGTH];
  Cell all[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = walks(words[threadIdx.x], others[threadIdx.x], all, octets[threadIdx.x], primes, i);
}
__global__ void walk_local(Word* out) {
  __shared__ Cell all[THREADS][8];
  int words[LENGTH], others[LENGTH];
  Byte octets[LENGTH];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = walks(words, others, all[threadIdx.x], octets, primes, i);
}

int main() {
  enum { COUNT = 512 };
  Word found[COUNT], *out;
  CHECK(cudaMemcpyFromSymbol(host_primes, primes, sizeof(host_primes)));
  CHECK(cudaMalloc((void**)&out, sizeof(found)));
  for (int local = 0; local < 2; ++local) {
    if (local != 0)
      walk_local<<<COUNT / THREADS, THREADS>>>(out);
    else
      walk_shared<<<COUNT / THREADS, THREADS>>>(out);
    CHECK(cudaMemcpy(found, out, sizeof(found), cudaMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; ++i) {
      int words[LENGTH], others[LENGTH];
      Cell all[8];
      Byte octets[LENGTH];
      const Word expected = walks(words, others, all, octets, host_primes, i);
      if (found[i] != expected && wrong++ < 10)
        printf("%s[%d]: %08x instead of %08x\n", local ? "local" : "shared", i, found[i], expected);
    }
  }
  printf("growing addresses: %d wrong\n%s\n", wrong, wrong == 0 ? "PASSED" : "FAILED");
  return wrong != 0;
}
