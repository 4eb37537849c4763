// SPDX-License-Identifier: Apache-2.0
// Options of the samples' command lines: -name, --name, --name=value.
#pragma once

#include "host_defines.h"

#include <stdlib.h>
#include <string.h>

/// What stands behind the name, "" for nothing; null when the option is not given.
inline const char* teslasim_option(int count, const char** words, const char* name) {
  const size_t length = strlen(name);
  for (int i = 1; i < count; ++i) {
    const char* word = words[i];
    if (*word != '-') continue;
    while (*word == '-') ++word;
    if (strncmp(word, name, length) != 0) continue;
    if (word[length] == '=') return word + length + 1;
    if (word[length] == '\0') return word + length;
  }
  return nullptr;
}
inline int cutCheckCmdLineFlag(int count, const char** words, const char* name) {
  return teslasim_option(count, words, name) != nullptr ? 1 : 0;
}
inline int cutGetCmdLineArgumenti(int count, const char** words, const char* name, int* value) {
  const char* text = teslasim_option(count, words, name);
  if (text == nullptr || *text == '\0') return 0;
  *value = atoi(text);
  return 1;
}
inline int cutGetCmdLineArgumentf(int count, const char** words, const char* name, float* value) {
  const char* text = teslasim_option(count, words, name);
  if (text == nullptr || *text == '\0') return 0;
  *value = static_cast<float>(atof(text));
  return 1;
}
inline int cutGetCmdLineArgumentstr(int count, const char** words, const char* name, char** value) {
  const char* text = teslasim_option(count, words, name);
  if (text == nullptr || *text == '\0') return 0;
  *value = strdup(text);
  return 1;
}
inline bool checkCmdLineFlag(int count, const char** words, const char* name) {
  return teslasim_option(count, words, name) != nullptr;
}
inline int getCmdLineArgumentInt(int count, const char** words, const char* name) {
  int value = 0;
  cutGetCmdLineArgumenti(count, words, name, &value);
  return value;
}
inline float getCmdLineArgumentFloat(int count, const char** words, const char* name) {
  float value = 0;
  cutGetCmdLineArgumentf(count, words, name, &value);
  return value;
}
inline bool getCmdLineArgumentString(int count, const char** words, const char* name, char** value) {
  return cutGetCmdLineArgumentstr(count, words, name, value) != 0;
}
