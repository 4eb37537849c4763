// SPDX-License-Identifier: Apache-2.0
// How a thread waits for another one. Free of SystemC.
#pragma once

#include <thread>

namespace teslasim {

/// Waits a little longer each time: at first within the processor, some microseconds in all, then behind whoever else
/// wants it.
class Patience {
 public:
  /// False: it is time to sleep.
  bool wait() {
    ++waits_;
    if (waits_ < spins) {
      relax();
    } else {
      std::this_thread::yield();
    }
    return waits_ < spins + yields;
  }

 private:
  static constexpr unsigned spins = 1000;
  static constexpr unsigned yields = 1000;

  static void relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }
  unsigned waits_ = 0;
};

}  // namespace teslasim
