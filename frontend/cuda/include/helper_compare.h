// SPDX-License-Identifier: Apache-2.0
// Comparisons of the samples: a result with what was expected.
#pragma once

#include "cuda_runtime.h"

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };

/// Of how many elements two arrays differ by more than `largest`; what is no number differs from all.
template <class T>
inline unsigned int teslasim_differences(const T* reference, const T* data, unsigned int count, double largest) {
  unsigned int found = 0;
  for (unsigned int i = 0; i < count; ++i) {
    const double difference = static_cast<double>(reference[i]) - static_cast<double>(data[i]);
    found += fabs(difference) <= largest ? 0U : 1U;
  }
  return found;
}
/// Whether they differ in less than a share of their elements; nowhere, if the share is 0.
template <class T, class Number>
inline bool compareData(const T* reference, const T* data, unsigned int count, Number largest, float share) {
  const unsigned int found = teslasim_differences(reference, data, count, static_cast<double>(largest));
  return share > 0.0F ? static_cast<float>(found) < share * static_cast<float>(count) : found == 0;
}
template <class T, class Number>
inline CUTBoolean teslasim_compared(const T* reference, const T* data, unsigned int count, Number largest,
                                    float share = 0.0F) {
  return compareData(reference, data, count, largest, share) ? CUTTrue : CUTFalse;
}

inline CUTBoolean cutComparef(const float* reference, const float* data, unsigned int count) {
  return teslasim_compared(reference, data, count, 0);
}
inline CUTBoolean cutComparefe(const float* reference, const float* data, unsigned int count, float largest) {
  return teslasim_compared(reference, data, count, largest);
}
inline CUTBoolean cutComparefet(const float* reference, const float* data, unsigned int count, float largest,
                                float share) {
  return teslasim_compared(reference, data, count, largest, share);
}
inline CUTBoolean cutComparei(const int* reference, const int* data, unsigned int count) {
  return teslasim_compared(reference, data, count, 0);
}
inline CUTBoolean cutCompareub(const unsigned char* reference, const unsigned char* data, unsigned int count) {
  return teslasim_compared(reference, data, count, 0);
}
inline CUTBoolean cutCompareube(const unsigned char* reference, const unsigned char* data, unsigned int count,
                                float largest) {
  return teslasim_compared(reference, data, count, largest);
}
inline CUTBoolean cutCompareubt(const unsigned char* reference, const unsigned char* data, unsigned int count,
                                float largest, float share) {
  return teslasim_compared(reference, data, count, largest, share);
}
/// Whether the distance of two vectors is at most `largest` of the length of the first.
inline bool sdkCompareL2fe(const float* reference, const float* data, unsigned int count, float largest) {
  double distance = 0;
  double length = 0;
  for (unsigned int i = 0; i < count; ++i) {
    const double difference = static_cast<double>(reference[i]) - static_cast<double>(data[i]);
    distance += difference * difference;
    length += static_cast<double>(reference[i]) * static_cast<double>(reference[i]);
  }
  return sqrt(distance) <= static_cast<double>(largest) * sqrt(length);
}
inline CUTBoolean cutCompareL2fe(const float* reference, const float* data, unsigned int count, float largest) {
  return sdkCompareL2fe(reference, data, count, largest) ? CUTTrue : CUTFalse;
}
