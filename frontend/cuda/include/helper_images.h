// SPDX-License-Identifier: Apache-2.0
// Pictures as the samples keep them: binary PGM (a byte per pixel) and PPM (three).
#pragma once

#include "helper_compare.h"

#include <ctype.h>

/// Bytes of a file mean 0 to 1 in pictures of floats, themselves in all others.
template <class T>
inline T teslasim_of_byte(unsigned char byte) {
  return static_cast<T>(byte);
}
template <>
inline float teslasim_of_byte<float>(unsigned char byte) {
  return static_cast<float>(byte) / 255.0F;
}
template <class T>
inline unsigned char teslasim_to_byte(T value) {
  return static_cast<unsigned char>(value);
}
template <>
inline unsigned char teslasim_to_byte<float>(float value) {
  return static_cast<unsigned char>(value * 255.0F);
}

/// A number of the header, behind remarks.
inline bool teslasim_picture_number(FILE* file, unsigned int* value) {
  int next = getc(file);
  for (; isspace(next) != 0 || next == '#'; next = getc(file)) {
    if (next == '#') {
      while (next != '\n' && next != EOF) next = getc(file);
    }
  }
  return ungetc(next, file) != EOF && fscanf(file, "%u", value) == 1;
}
inline bool teslasim_picture_header(FILE* file, unsigned int channels, unsigned int* width, unsigned int* height) {
  unsigned int largest = 0;
  return getc(file) == 'P' && getc(file) == (channels == 1 ? '5' : '6') && teslasim_picture_number(file, width) &&
         teslasim_picture_number(file, height) && teslasim_picture_number(file, &largest) && largest == 255U &&
         isspace(getc(file)) != 0 && *width > 0 && *height > 0;
}

/// Reads pixels of `from` channels as such of `to`; a fourth one is 0.
template <class T>
inline bool teslasim_read_pixels(FILE* file, T* data, size_t pixels, unsigned int from, unsigned int to) {
  for (size_t i = 0; i < pixels; ++i) {
    unsigned char pixel[4] = {0, 0, 0, 0};
    if (fread(pixel, 1, from, file) != from) return false;
    for (unsigned int channel = 0; channel < to; ++channel)
      data[i * to + channel] = teslasim_of_byte<T>(pixel[channel]);
  }
  return true;
}
/// Memory is allocated when `*data` is null; otherwise the picture must be `*width` by `*height`.
template <class T>
inline bool teslasim_load_picture(const char* name, T** data, unsigned int* width, unsigned int* height,
                                  unsigned int from, unsigned int to) {
  FILE* file = name != nullptr ? fopen(name, "rb") : nullptr;
  unsigned int columns = 0;
  unsigned int rows = 0;
  bool is_right = file != nullptr && teslasim_picture_header(file, from, &columns, &rows) &&
                  (*data == nullptr || (*width == columns && *height == rows));
  if (is_right) {
    const size_t pixels = static_cast<size_t>(columns) * rows;
    T* const pixel_data = *data != nullptr ? *data : static_cast<T*>(malloc(pixels * to * sizeof(T)));
    is_right = pixel_data != nullptr && teslasim_read_pixels(file, pixel_data, pixels, from, to);
    if (!is_right && *data == nullptr) free(pixel_data);
    if (is_right) *data = pixel_data;
  }
  if (is_right) {
    *width = columns;
    *height = rows;
  } else {
    fprintf(stderr, "%s: no binary %s of 8 bits per channel%s\n", name != nullptr ? name : "(no name)",
            from == 1 ? "PGM" : "PPM", *data != nullptr ? " and of the size that is wanted" : "");
  }
  if (file != nullptr) fclose(file);
  return is_right;
}
/// Writes `to` of the `from` channels of each pixel.
template <class T>
inline bool teslasim_save_picture(const char* name, const T* data, unsigned int width, unsigned int height,
                                  unsigned int from, unsigned int to) {
  FILE* file = name != nullptr && data != nullptr ? fopen(name, "wb") : nullptr;
  if (file == nullptr) {
    fprintf(stderr, "%s: cannot be written\n", name != nullptr ? name : "(no name)");
    return false;
  }
  fprintf(file, "P%c\n%u\n%u\n255\n", to == 1 ? '5' : '6', width, height);
  const size_t pixels = static_cast<size_t>(width) * height;
  for (size_t i = 0; i < pixels; ++i) {
    for (unsigned int channel = 0; channel < to; ++channel) putc(teslasim_to_byte(data[i * from + channel]), file);
  }
  const bool is_written = ferror(file) == 0;
  return fclose(file) == 0 && is_written;
}

template <class T>
inline bool sdkLoadPGM(const char* name, T** data, unsigned int* width, unsigned int* height) {
  return teslasim_load_picture(name, data, width, height, 1, 1);
}
template <class T>
inline bool sdkSavePGM(const char* name, T* data, unsigned int width, unsigned int height) {
  return teslasim_save_picture(name, data, width, height, 1, 1);
}
inline bool sdkLoadPPM4ub(const char* name, unsigned char** data, unsigned int* width, unsigned int* height) {
  return teslasim_load_picture(name, data, width, height, 3, 4);
}
inline bool sdkSavePPM4ub(const char* name, unsigned char* data, unsigned int width, unsigned int height) {
  return teslasim_save_picture(name, data, width, height, 4, 3);
}
inline bool sdkSavePPMub(const char* name, unsigned char* data, unsigned int width, unsigned int height) {
  return teslasim_save_picture(name, data, width, height, 3, 3);
}

/// The names of CUDA 1 to 4 say the type of a pixel, and what saves them takes it as it is stored.
#define TESLASIM_PICTURES(load, save, type, in_file, in_memory)                                         \
  inline CUTBoolean load(const char* name, type** data, unsigned int* width, unsigned int* height) {    \
    return teslasim_load_picture(name, data, width, height, in_file, in_memory) ? CUTTrue : CUTFalse;   \
  }                                                                                                     \
  inline CUTBoolean save(const char* name, const type* data, unsigned int width, unsigned int height) { \
    return teslasim_save_picture(name, data, width, height, in_memory, in_file) ? CUTTrue : CUTFalse;   \
  }
TESLASIM_PICTURES(cutLoadPGMub, cutSavePGMub, unsigned char, 1, 1)
TESLASIM_PICTURES(cutLoadPGMs, cutSavePGMs, unsigned short, 1, 1)
TESLASIM_PICTURES(cutLoadPGMi, cutSavePGMi, unsigned int, 1, 1)
TESLASIM_PICTURES(cutLoadPGMf, cutSavePGMf, float, 1, 1)
TESLASIM_PICTURES(cutLoadPPMub, cutSavePPMub, unsigned char, 3, 3)
TESLASIM_PICTURES(cutLoadPPM4ub, cutSavePPM4ub, unsigned char, 3, 4)
#undef TESLASIM_PICTURES
