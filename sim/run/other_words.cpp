// SPDX-License-Identifier: Apache-2.0
#include "sim/run/other_words.h"

#include <array>

namespace teslasim {
namespace {

constexpr std::array<OtherWord, 78> table{{
    // the machine
    {"--machine", "config", ""},
    {"-m", "config", ""},
    {"--config", "machine", ""},
    {"-c", "machine", ""},
    {"--gpu", "config", ""},
    {"--gpu", "machine", ""},
    {"--device", "config", ""},
    {"--device", "machine", ""},
    {"--board", "config", ""},
    {"--board", "machine", ""},
    {"--preset", "config", ""},
    {"--preset", "machine", ""},
    {"--arch", "retarget", ""},
    {"--override", "set", ""},
    {"--key", "set", ""},
    // the way to run
    {"--functional", "mode", "functional"},
    {"--functional-only", "mode", "functional"},
    {"-f", "mode", "functional"},
    {"--timing", "mode", "timing"},
    {"--cycle-accurate", "mode", "timing"},
    {"--threads", "jobs", ""},
    {"--jobs", "threads", ""},
    {"-j", "threads", ""},
    {"-t", "threads", ""},
    {"-t", "jobs", ""},
    {"--parallel", "threads", ""},
    {"--parallel", "jobs", ""},
    {"--timeout", "max-seconds", ""},
    {"--time-limit", "max-seconds", ""},
    {"--cycles", "max-cycles", ""},
    {"--cycle-limit", "max-cycles", ""},
    {"--dry-run", "list", ""},
    {"-l", "list", ""},
    {"--filter", "only", ""},
    // the launch
    {"-k", "kernel", ""},
    {"--entry", "kernel", ""},
    {"-g", "grid", ""},
    {"--grid-dim", "grid", ""},
    {"--grid-size", "grid", ""},
    {"-b", "block", ""},
    {"--block-dim", "block", ""},
    {"--block-size", "block", ""},
    {"-p", "param", ""},
    {"--arg", "param", ""},
    {"--args", "param", ""},
    {"--shared", "dynamic-shared", ""},
    {"--shared-memory", "dynamic-shared", ""},
    {"--verify", "check", ""},
    {"--golden", "check", ""},
    {"--tolerance", "tol", ""},
    {"--epsilon", "tol", ""},
    // the compiler
    {"-D", "compile", "-DNAME=VALUE"},
    {"--define", "compile", "-DNAME=VALUE"},
    {"-I", "compile", "-IDIR"},
    {"--include", "compile", "-IDIR"},
    {"-O", "compile", "-O0"},
    {"--maxrregcount", "compile", "'-maxrregcount N'"},
    {"--use_fast_math", "compile", "-use_fast_math"},
    {"--ptxas-options", "resource-usage", ""},
    // what comes out
    {"--output", "out", ""},
    {"--output-dir", "out", ""},
    {"--outdir", "out", ""},
    {"-d", "out", ""},
    {"--out", "output", ""},
    {"--no-output", "no-out", ""},
    {"--html", "report", ""},
    {"--format", "json", ""},
    {"--stats", "json", ""},
    {"--print", "dump", ""},
    {"--trace", "perfetto", ""},
    {"--timeline", "perfetto", ""},
    {"--profile", "perfetto", ""},
    {"--pipeline", "konata", ""},
    {"--waveform", "vcd", ""},
    {"--silent", "quiet", ""},
    {"--debug", "verbose", ""},
    {"-V", "version", ""},
    {"--no-color", "color", "never"},
}};

}  // namespace

std::span<const OtherWord> other_words() {
  return table;
}

bool OtherWord::stands_in(std::string_view typed) const {
  const bool is_letter = typed.size() > 1 && typed[0] == '-' && typed[1] != '-';
  return given == typed.substr(0, is_letter ? 2 : typed.find('='));
}

}  // namespace teslasim
