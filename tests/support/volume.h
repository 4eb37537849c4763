// SPDX-License-Identifier: Apache-2.0
// How much long tests do under the sanitizers: code runs some ten times slower there, and they look at what lines of
// code do, for which fewer numbers will do. Other builds run the whole.
#pragma once

namespace teslasim::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool under_sanitizers = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool under_sanitizers = true;
#else
inline constexpr bool under_sanitizers = false;
#endif
#else
inline constexpr bool under_sanitizers = false;
#endif

/// `whole` of something, or `part` under the sanitizers.
template <typename Number>
[[nodiscard]] constexpr Number volume(Number whole, Number part) {
  return under_sanitizers ? part : whole;
}

}  // namespace teslasim::test
