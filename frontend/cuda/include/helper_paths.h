// SPDX-License-Identifier: Apache-2.0
// Where a sample finds its files: beside the program or in a folder "data", here or in a folder above.
#pragma once

#include "host_defines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The words as one, in new memory that the caller frees.
inline char* teslasim_joined(const char* first, size_t length, const char* second, const char* third,
                             const char* fourth) {
  const size_t room = length + strlen(second) + strlen(third) + strlen(fourth) + 1;
  char* const text = static_cast<char*>(malloc(room));
  if (text != nullptr) {
    snprintf(text, room, "%.*s%s%s%s", static_cast<int>(length), first, second, third, fourth);
  }
  return text;
}
inline bool teslasim_can_read(const char* path) {
  FILE* file = path != nullptr ? fopen(path, "rb") : nullptr;
  if (file == nullptr) return false;
  fclose(file);
  return true;
}
/// The path of a file, which the caller frees; null when it is nowhere. Samples of SDKs stand in src/NAME or
/// projects/NAME.
inline char* sdkFindFilePath(const char* name, const char* program) {
  static const char* const above[] = {"", "../", "../../", "../../../"};
  static const char* const folders[] = {"", "data/", "src/", "projects/"};
  const char* const slash = program != nullptr ? strrchr(program, '/') : nullptr;
  const char* const own_name = slash != nullptr ? slash + 1 : (program != nullptr ? program : "");
  for (int place = 0; name != nullptr && place < (slash != nullptr ? 2 : 1); ++place) {
    const size_t length = place == 1 ? static_cast<size_t>(slash + 1 - program) : 0;
    for (const char* up : above) {
      for (const char* folder : folders) {
        const bool holds_samples = strcmp(folder, "src/") == 0 || strcmp(folder, "projects/") == 0;
        char* const sample = holds_samples ? teslasim_joined(folder, strlen(folder), own_name, "/data/", "") : nullptr;
        if (holds_samples && sample == nullptr) continue;
        char* const path =
            teslasim_joined(slash != nullptr ? program : "", length, up, holds_samples ? sample : folder, name);
        free(sample);
        if (teslasim_can_read(path)) return path;
        free(path);
      }
    }
  }
  return nullptr;
}
inline char* cutFindFilePath(const char* name, const char* program) {
  return sdkFindFilePath(name, program);
}
