// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/signal_end.h"

#include <pthread.h>
#include <semaphore.h>

#include <csignal>
#include <thread>

#include "sim/cudart/session.h"
#include "sim/run/signals.h"

namespace teslasim::cudart {
namespace {

/// Posting is one of the few things that a handler may do.
sem_t arrived;

extern "C" void post_arrival() {
  sem_post(&arrived);
}

void wait_and_end() {
  while (sem_wait(&arrived) != 0) {
  }
  Process::get().end_by_signal();
}

}  // namespace

void end_on_signals() {
  if (sem_init(&arrived, 0, 0) != 0) return;
  // The thread takes no signals: those of the program are for its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(wait_and_end).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  catch_default_signals(post_arrival);
}

}  // namespace teslasim::cudart
