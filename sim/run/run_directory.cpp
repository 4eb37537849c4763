// SPDX-License-Identifier: Apache-2.0
#include "sim/run/run_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "sim/base/command_files.h"
#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"
#include "sim/run/run_reader.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;
constexpr mode_t folder_mode = 0777;
constexpr mode_t file_mode = 0666;

enum class RunsWanted : std::uint8_t { finished, begun };

/// The number at the start of "007-name-machine", or 0.
unsigned number_of(const std::string& name) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool numbered = error == std::errc{} && end != name.data() + name.size() && *end == '-';
  return numbered ? number : 0;
}

unsigned highest_number(const std::string& runs) {
  unsigned highest = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(runs, error)) {
    highest = std::max(highest, number_of(entry.path().filename().string()));
  }
  return highest;
}

void make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) write_error(path, error.message());
}

/// Points `runs/latest` to the folder; a failure (file systems without links) is not worth an error.
void point_latest(const std::string& runs, const std::string& name) {
  std::error_code error;
  const std::string link = runs + "/latest", temporary = link + ".part" + std::to_string(getpid());
  if (fs::exists(fs::symlink_status(link, error)) && !fs::is_symlink(fs::symlink_status(link, error))) return;
  fs::create_directory_symlink(name, temporary, error);
  if (!error) fs::rename(temporary, link, error);
}

bool is_finished(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "run.json", error);
}

/// It was begun: status.json comes before the results of a run, run.json is the last but for pictures of it.
bool is_begun(const fs::path& folder) {
  std::error_code error;
  return !is_finished(folder) && fs::is_regular_file(folder / "status.json", error);
}

/// The inputs of a run are being copied: the file is the first of all.
bool is_starting(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "config.effective.toml", error) && folder_use(folder) == FolderUse::taken;
}

[[noreturn]] void not_finished(const std::string& folder) {
  const RunStatusRecord status = RunReader(folder).status().value_or(RunStatusRecord{});
  Diagnostic diagnostic;
  diagnostic.code = "RUN-UNFINISHED";
  diagnostic.message = "the run '" + folder + "' has no results: it was killed before its end, or it is still running";
  diagnostic.notes.push_back(
      fmt::format("status.json was last written {:.0f} s after its start, with {} of {} blocks done",
                  status.moment.seconds, status.moment.progress.ctas_done, status.moment.progress.ctas_total));
  diagnostic.notes.push_back("its inputs and config.effective.toml are there, statistics are not");
  diagnostic.help =
      "teslasim watch says which; run it again; a run that is stopped with Ctrl-C, TERM or --max-seconds keeps its "
      "statistics";
  throw InputError(ExitCode::input, std::move(diagnostic));
}

/// What a CUDA program leaves is a report of its launches, not the record of one run.
bool is_of_program(const fs::path& folder) {
  std::error_code error;
  return !is_finished(folder) && fs::is_regular_file(folder / "launches.csv", error) &&
         !fs::exists(folder / "status.json", error);
}

[[noreturn]] void only_of_program(const std::string& folder) {
  Diagnostic diagnostic;
  diagnostic.code = "RUN-PROGRAM";
  diagnostic.message = "'" + folder + "' is of a CUDA program, which this command cannot read";
  diagnostic.notes = {"its launches.csv, kernels.csv, program.json and report.html have the results",
                      "its digest, in program.json, is that of every run of the program with the same options"};
  diagnostic.help =
      "start the program again, by 'teslasim cuda'; launches that --record DIR recorded are replayed by "
      "'teslasim run DIR/FILE.wtrace', whose runs this command takes";
  throw InputError(ExitCode::input, std::move(diagnostic));
}

[[noreturn]] void no_such_run(const std::string& word, const std::string& runs) {
  Diagnostic diagnostic;
  diagnostic.code = "RUN-NOT-FOUND";
  diagnostic.message = "there is no run '" + word + "'";
  std::error_code error;
  if (fs::exists(word, error)) diagnostic.message = "'" + word + "' is not the directory of a run";
  diagnostic.help = "give a run directory, its number below '" + runs + "', or 'latest'";
  throw InputError(ExitCode::input, std::move(diagnostic));
}

}  // namespace

RunDirectory::RunDirectory(std::string runs, std::string path, unsigned number)
    : runs_(std::move(runs)), path_(std::move(path)), number_(number) {}

std::string file_name_from(std::string_view text) {
  std::string name(text);
  for (char& character : name) {
    const bool kept =
        std::isalnum(static_cast<unsigned char>(character)) != 0 || std::strchr("._-", character) != nullptr;
    if (!kept) character = '_';
  }
  return name.empty() ? "run" : name;
}

RunDirectory RunDirectory::create_numbered(const std::string& runs, const std::string& name,
                                           const std::string& machine) {
  make_folders(runs);
  const std::string tail = "-" + file_name_from(name) + "-" + file_name_from(machine);
  const FolderLock lock(runs, FolderLock::Wait::yes);
  const unsigned number = highest_number(runs) + 1;
  const std::string folder = fmt::format("{:03}", number) + tail;
  if (mkdir((runs + "/" + folder).c_str(), folder_mode) != 0) write_error(runs + "/" + folder, std::strerror(errno));
  RunDirectory directory{runs, runs + "/" + folder, number};
  directory.lock_ = std::make_shared<const FolderLock>(directory.path_, FolderLock::Wait::no);
  point_latest(runs, folder);
  return directory;
}

RunDirectory RunDirectory::create_exactly(const std::string& path) {
  std::error_code error;
  const auto refuse = [&path](const char* why) {
    Diagnostic diagnostic;
    diagnostic.code = "OUT-EXISTS";
    diagnostic.message = "'" + path + "' " + why + "; results are never overwritten";
    diagnostic.help = "name another folder, or leave --out away: runs are numbered below 'runs'";
    throw InputError(ExitCode::environment, std::move(diagnostic));
  };
  if (fs::exists(path, error) && !fs::is_directory(path, error)) refuse("is a file");
  make_folders(path);
  // Held until the run has ended: an empty folder is the first one's who asks.
  auto lock = std::make_shared<const FolderLock>(path, FolderLock::Wait::no);
  if (!lock->held()) refuse("is being written by another run");
  if (!fs::is_empty(path, error) || error) refuse("exists and is not empty");
  RunDirectory directory{"", path, 0};
  directory.lock_ = std::move(lock);
  return directory;
}

void RunDirectory::append_to_index(std::string_view header, std::string_view line) const {
  if (runs_.empty()) return;
  const FolderLock lock(runs_, FolderLock::Wait::yes);  // the header is the first line
  const std::string path = runs_ + "/index.csv";
  const int fresh = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND, file_mode);
  const int file = fresh >= 0 ? fresh : open(path.c_str(), O_WRONLY | O_APPEND);
  if (file < 0) write_error(path, std::strerror(errno));
  const std::string text = fresh >= 0 ? std::string(header) + std::string(line) : std::string(line);
  // One write, so that lines of runs that end together do not mix.
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const std::string reason = std::strerror(errno);
  close(file);
  if (!written) write_error(path, reason);
}

namespace {

/// What a word may mean, in the order in which it is looked for.
std::vector<fs::path> folders_of(const std::string& runs, const std::string& word) {
  std::vector<fs::path> folders{word, fs::path(runs) / word};
  const unsigned wanted = number_of(word + "-");
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(runs, error)) {
    if (wanted != 0 && number_of(entry.path().filename().string()) == wanted) folders.push_back(entry.path());
  }
  return folders;
}

std::string look_for_run(const std::string& runs, const std::string& word, RunsWanted wanted) {
  const std::vector<fs::path> folders = folders_of(runs, word);
  const auto first = [&folders](bool (*is)(const fs::path&)) {
    const auto found = std::find_if(folders.begin(), folders.end(), is);
    return found == folders.end() ? std::string() : found->string();
  };
  if (std::string finished = first(is_finished); !finished.empty()) return finished;
  std::string begun = first(is_begun);
  if (wanted == RunsWanted::begun) {
    if (begun.empty()) begun = first(is_starting);
    if (!begun.empty()) return begun;
  }
  if (!begun.empty()) not_finished(begun);
  if (const std::string program = first(is_of_program); !program.empty()) only_of_program(program);
  no_such_run(word, runs);
}

}  // namespace

std::string run_label(const std::string& directory) {
  std::error_code error;
  const fs::path real = fs::canonical(directory, error);
  return (error ? fs::path(directory) : real).filename().string();
}

std::string find_run(const std::string& runs, const std::string& word) {
  const std::string directory = look_for_run(runs, word, RunsWanted::finished);
  // All files of a run are its record: no option may overwrite one, whether this command reads it or not. The page and
  // the database are made again from the others.
  std::error_code error;
  fs::recursive_directory_iterator at(directory, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    const fs::path name = at->path().filename();
    const bool made_again = at.depth() == 0 && (name == "report.html" || name == "run.sqlite");
    if (!made_again) note_input(at->path().string());
  }
  return directory;
}

std::string find_begun_run(const std::string& runs, const std::string& word) {
  return look_for_run(runs, word, RunsWanted::begun);
}

}  // namespace teslasim
