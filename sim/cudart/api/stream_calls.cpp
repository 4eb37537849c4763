// SPDX-License-Identifier: Apache-2.0
// Streams and events: simulated time.
#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/handles.h"

namespace teslasim::cudart {
namespace {

cudaError_t missing(Session& session, const char* what) {
  return session.complain(cudaErrorInvalidResourceHandle, what, {}, "there is none with this handle, or no longer");
}

/// Runs `function` with the number of a stream that exists.
template <typename Function>
cudaError_t with_stream(cudaStream_t handle, Function function) {
  return answer([&](Session& session) {
    const DeviceClock::Stream stream = stream_of(handle);
    return session.streams.exists(stream) ? function(session, stream) : missing(session, "stream");
  });
}

template <typename Function>
cudaError_t with_event(cudaEvent_t handle, Function function) {
  return answer([&](Session& session) {
    EventState* event = session.events.find(number_of(handle));
    return event != nullptr ? function(session, *event) : missing(session, "event");
  });
}

/// A host that asks again and again would ask forever: its clock moves only while it waits. It finds the work done when
/// it asks the next time.
cudaError_t ask(DeviceClock& clock, Femtoseconds end) {
  if (end <= clock.now()) return cudaSuccess;
  clock.wait_until(end);
  return cudaErrorNotReady;
}

}  // namespace
}  // namespace teslasim::cudart

using namespace teslasim::cudart;  // NOLINT(google-build-using-namespace): the names of CUDA's functions are global

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return answer([&](Session& session) {
    if (stream == nullptr) return cudaErrorInvalidValue;
    *stream = handle_of(session.streams.create(session.clock));
    return cudaSuccess;
  });
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return answer([&](Session& session) {
    return session.streams.destroy(stream_of(stream)) ? cudaSuccess : missing(session, "stream");
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return with_stream(stream, [](Session& session, DeviceClock::Stream number) {
    session.wait_until(session.clock.reached(number));
    return cudaSuccess;
  });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return with_stream(stream, [](Session& session, DeviceClock::Stream number) {
    return ask(session.clock, session.clock.reached(number));
  });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int /*flags*/) {
  return with_stream(stream, [event](Session& session, DeviceClock::Stream number) {
    const EventState* state = session.events.find(number_of(event));
    if (state == nullptr) return missing(session, "event");
    if (state->time) session.clock.hold_until(number, *state->time);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return answer([&](Session& session) {
    if (event == nullptr) return cudaErrorInvalidValue;
    *event = event_handle_of(session.events.create((flags & cudaEventDisableTiming) == 0));
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return answer([&](Session& session) {
    return session.events.destroy(number_of(event)) ? cudaSuccess : missing(session, "event");
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return with_event(event, [stream](Session& session, EventState& state) {
    if (!session.streams.exists(stream_of(stream))) return missing(session, "stream");
    state.time = session.clock.reached(stream_of(stream));
    return cudaSuccess;
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return with_event(event, [](Session& session, EventState& state) {
    return state.time ? ask(session.clock, *state.time) : cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return with_event(event, [](Session& session, EventState& state) {
    if (state.time) session.wait_until(*state.time);
    return cudaSuccess;
  });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return with_event(start, [&](Session& session, EventState& first) {
    const EventState* second = session.events.find(number_of(end));
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    if (second == nullptr) return missing(session, "event");
    const auto refuse = [&session](const char* what) {
      return session.complain(cudaErrorInvalidResourceHandle, "cudaEventElapsedTime", {}, what);
    };
    if (!first.time || !second->time) return refuse("an event was never recorded");
    if (!first.timed || !second->timed) return refuse("an event was made with cudaEventDisableTiming");
    if (*first.time > session.clock.now() || *second->time > session.clock.now()) return cudaErrorNotReady;
    constexpr double femtoseconds_per_ms = 1e12;
    const double from = static_cast<double>(first.time->count());
    *milliseconds = static_cast<float>((static_cast<double>(second->time->count()) - from) / femtoseconds_per_ms);
    return cudaSuccess;
  });
}
