// SPDX-License-Identifier: Apache-2.0
// cudaMemcpy, cudaMemset and their kin.
#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/handles.h"
#include "sim/cudart/copies.h"

using teslasim::cudart::answer;
using teslasim::cudart::CallSite;
using teslasim::cudart::copy;
using teslasim::cudart::CopyCall;
using teslasim::cudart::CopyRows;
using teslasim::cudart::fill;
using teslasim::cudart::Session;
using teslasim::cudart::stream_of;
using teslasim::cudart::Waiting;

cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind, const char* file, int line) {
  return answer([&](Session& session) {
    return copy(session, CopyCall{"cudaMemcpy", CallSite{file, line}, kind}, to, from, size);
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream,
                            const char* file, int line) {
  return answer([&](Session& session) {
    const CopyCall call{"cudaMemcpyAsync", CallSite{file, line}, kind, stream_of(stream), Waiting::goes_on};
    return copy(session, call, to, from, size);
  });
}

// There is one device.
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t size,
                                cudaStream_t stream) {
  return answer([&](Session& session) {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    const CopyCall call{"cudaMemcpyPeerAsync", {}, cudaMemcpyDeviceToDevice, stream_of(stream), Waiting::goes_on};
    return copy(session, call, to, from, size);
  });
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t size) {
  return answer([&](Session& session) {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    return copy(session, CopyCall{"cudaMemcpyPeer", {}, cudaMemcpyDeviceToDevice}, to, from, size);
  });
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind, const char* file, int line) {
  return answer([&](Session& session) {
    return copy(session, CopyCall{"cudaMemcpy2D", CallSite{file, line}, kind},
                CopyRows{to, to_pitch, from, from_pitch, width, height});
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return answer([&](Session& session) {
    return copy(session, CopyCall{"cudaMemcpy2DAsync", {}, kind, stream_of(stream), Waiting::goes_on},
                CopyRows{to, to_pitch, from, from_pitch, width, height});
  });
}

cudaError_t cudaMemset(void* pointer, int value, size_t size, const char* file, int line) {
  return answer([&](Session& session) {
    return fill(session, CopyCall{"cudaMemset", CallSite{file, line}}, CopyRows{pointer, size, nullptr, 0, size, 1},
                value);
  });
}

cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size, cudaStream_t stream) {
  return answer([&](Session& session) {
    const CopyCall call{"cudaMemsetAsync", {}, cudaMemcpyDefault, stream_of(stream), Waiting::goes_on};
    return fill(session, call, CopyRows{pointer, size, nullptr, 0, size, 1}, value);
  });
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return answer([&](Session& session) {
    return fill(session, CopyCall{"cudaMemset2D"}, CopyRows{pointer, pitch, nullptr, 0, width, height}, value);
  });
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return answer([&](Session& session) {
    const CopyCall call{"cudaMemset2DAsync", {}, cudaMemcpyDefault, stream_of(stream), Waiting::goes_on};
    return fill(session, call, CopyRows{pointer, pitch, nullptr, 0, width, height}, value);
  });
}
