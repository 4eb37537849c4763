// SPDX-License-Identifier: Apache-2.0
// Which files the running command reads and writes, so that none is both. A process runs one command: run_program makes
// one CommandFiles; without one (unit tests, the parts on their own) nothing is noted and nothing refused.
//
// Readers of what users name call `note_input`; options that name an output are claimed when the command line is
// parsed, which is before anything is read; whatever is written is checked once more by OutputFile. So `asm k.asm -o
// k.asm`, or
// `--dump y=y.npy` of a buffer that is filled from y.npy, ends before anything has happened, whatever the two are
// called.
#pragma once

#include <string>
#include <vector>

#include "sim/base/output_place.h"

namespace teslasim {

class CommandFiles {
 public:
  CommandFiles();
  ~CommandFiles();
  CommandFiles(const CommandFiles&) = delete;
  CommandFiles& operator=(const CommandFiles&) = delete;

 private:
  friend void note_input(const std::string& path);
  friend void claim_output(const std::string& path);
  friend void refuse_input(const std::string& path, const OutputPlace& place);
  struct Named {
    std::string path;
    OutputPlace place;
  };
  std::vector<Named> inputs_, outputs_;
};

/// A file that the user named is read. Throws InputError (usage, OUT-IS-INPUT) when an output was claimed to be it.
void note_input(const std::string& path);

/// The command will write this file. Throws InputError when it cannot be written (environment, FILE-WRITE), is read by
/// the same command (usage, OUT-IS-INPUT) or claimed twice (usage, OUT-TWICE). Nothing is created.
void claim_output(const std::string& path);

/// Throws InputError (usage, OUT-IS-INPUT) when the file was read by this command. Writers ask.
void refuse_input(const std::string& path, const OutputPlace& place);

}  // namespace teslasim
