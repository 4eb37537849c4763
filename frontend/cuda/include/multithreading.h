/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the host as in the samples, one for each device: those of POSIX. */
#pragma once

#include <pthread.h>

typedef pthread_t CUTThread;
typedef void* (*CUT_THREADROUTINE)(void*);
#define CUT_THREADPROC void*
#define CUT_THREADEND return 0

static __inline__ CUTThread cutStartThread(CUT_THREADROUTINE routine, void* data) {
  pthread_t thread;
  pthread_create(&thread, 0, routine, data);
  return thread;
}
static __inline__ void cutEndThread(CUTThread thread) {
  pthread_join(thread, 0);
}
static __inline__ void cutDestroyThread(CUTThread thread) {
  pthread_cancel(thread);
}
static __inline__ void cutWaitForThreads(const CUTThread* threads, int count) {
  for (int i = 0; i < count; ++i) cutEndThread(threads[i]);
}
