// SPDX-License-Identifier: Apache-2.0
#include "sim/run/signals.h"

#include <pthread.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace teslasim {
namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
/// `timeout` and shells send a signal to the program and to its group: what arrives so soon is the same wish again.
constexpr std::int64_t same_wish = nanoseconds_per_second;

// A signal handler can reach nothing but such variables.
volatile std::sig_atomic_t noted = 0;
std::atomic<std::int64_t> noted_at{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

void (*called_also)() = nullptr;
constexpr std::array caught{SIGINT, SIGTERM};

std::atomic<bool> wished_snapshot{false}, wished_timeline{false};
static_assert(std::atomic<bool>::is_always_lock_free);

std::atomic<bool>& wish_of(int signal) {
  return signal == SIGUSR1 ? wished_snapshot : wished_timeline;
}

extern "C" void note_wish(int signal) {
  wish_of(signal) = true;
}

std::int64_t monotonic_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * nanoseconds_per_second + now.tv_nsec;
}

extern "C" void note_signal(int signal) {
  if (noted == 0) {
    noted_at = monotonic_nanoseconds();
    noted = signal;
    if (called_also != nullptr) called_also();
    return;
  }
  if (monotonic_nanoseconds() - noted_at < same_wish) return;
  // Delivered when the handler returns.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

bool is_handled_by(int signal, void (*handler)(int)) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  return (static_cast<unsigned>(now.sa_flags) & SA_SIGINFO) == 0U && now.sa_handler == handler;
}

void catch_one(int signal) {
  struct sigaction action {};
  action.sa_handler = note_signal;
  // The handler runs once at a time. Files that are being written when it does are written to their end.
  sigemptyset(&action.sa_mask);
  for (const int other : caught) sigaddset(&action.sa_mask, other);
  action.sa_flags = static_cast<int>(SA_RESTART);
  sigaction(signal, &action, nullptr);
}

void give_back() {
  for (const int signal : caught) {
    if (is_handled_by(signal, note_signal)) std::signal(signal, SIG_DFL);
  }
}

}  // namespace

void catch_signals() {
  for (const int signal : caught) catch_one(signal);
}

void catch_interrupts() {
  catch_one(SIGINT);
}

bool take_interrupt() {
  if (noted != SIGINT) return false;
  noted = 0;
  return true;
}

void catch_default_signals(void (*also)()) {
  called_also = also;
  for (const int signal : caught) {
    if (is_handled_by(signal, SIG_DFL)) catch_one(signal);
  }
  pthread_atfork(nullptr, nullptr, give_back);
}

void catch_wishes() {
  for (const int signal : {SIGUSR1, SIGUSR2}) {
    struct sigaction action {};
    action.sa_handler = note_wish;
    sigemptyset(&action.sa_mask);
    action.sa_flags = static_cast<int>(SA_RESTART);
    sigaction(signal, &action, nullptr);
  }
}

bool take_wish(int signal) {
  std::atomic<bool>& wish = wish_of(signal);
  return wish.load(std::memory_order_relaxed) && wish.exchange(false);
}

void end_by_signal(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  std::raise(signal);
  constexpr int shells_add = 128;
  std::_Exit(shells_add + signal);
}

int caught_signal() {
  return noted;
}

void ignore_file_size_signal() {
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace teslasim
