// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/ptx_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <span>
#include <string_view>

#include "sim/base/cache_folder.h"
#include "sim/base/diagnostic.h"
#include "sim/base/hash.h"
#include "sim/base/output_file.h"
#include "sim/base/text_file.h"

namespace teslasim::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_line = "teslasim compiled CUDA 2\n";
constexpr std::string_view extension = ".cuda-ptx";
constexpr std::size_t most_entries = 400;

std::string hash_text(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

std::string hash_of(std::string_view text) {
  return hash_text(hash_bytes(std::as_bytes(std::span(text))));
}

/// Takes a line off the front.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// Takes "N\n" and N bytes off the front.
std::optional<std::string> take_part(std::string_view& text) {
  const std::string_view number = take_line(text);
  std::size_t bytes = 0;
  const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), bytes);
  if (error != std::errc() || stop != number.data() + number.size() || bytes > text.size()) return std::nullopt;
  std::string part(text.substr(0, bytes));
  text.remove_prefix(bytes);
  return part;
}

std::string part(std::string_view text) {
  return fmt::format("{}\n{}", text.size(), text);
}

/// The oldest go when there are too many.
void make_room(const fs::path& folder) {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == extension) entries.emplace_back(entry.last_write_time(error), entry.path());
  }
  if (entries.size() <= most_entries) return;
  std::sort(entries.begin(), entries.end());
  entries.resize(entries.size() - most_entries / 2);
  for (const auto& [time, path] : entries) fs::remove(path, error);
}

}  // namespace

PtxCache::PtxCache(const std::string& arguments) {
  const std::string folder = cache_folder();
  if (!folder.empty()) file_ = folder + "/" + hash_of(arguments) + std::string(extension);
}

std::optional<CompiledText> PtxCache::find() const {
  std::error_code error;
  if (file_.empty() || !fs::is_regular_file(file_, error)) return std::nullopt;
  const TextFile file = read_text_file(file_, std::size_t{64} << 20U, FileOwner::program);
  std::string_view text = file.text;
  if (!text.starts_with(first_line)) return std::nullopt;
  text.remove_prefix(first_line.size());
  CompiledText kept;
  for (std::string_view line = take_line(text); !line.empty(); line = take_line(text)) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    kept.files.emplace_back(line.substr(blank + 1));
    const std::optional<std::uint64_t> now = hash_file(kept.files.back());
    if (!now || hash_text(*now) != line.substr(0, blank)) return std::nullopt;
  }
  std::optional<std::string> headers = take_part(text), messages = take_part(text), code = take_part(text),
                             ptx = take_part(text);
  if (!headers || !messages || !code || !ptx || !text.empty()) return std::nullopt;
  kept.headers = std::move(*headers);
  kept.ptx = std::move(*ptx);
  kept.code = std::move(*code);
  kept.messages = std::move(*messages);
  return kept;
}

void PtxCache::keep(const CompiledText& text) const {
  if (file_.empty()) return;
  std::string entry(first_line);
  for (const std::string& file : text.files) {
    const std::optional<std::uint64_t> hash = hash_file(file);
    if (!hash) return;
    entry += hash_text(*hash) + " " + file + "\n";
  }
  entry += "\n" + part(text.headers) + part(text.messages) + part(text.code) + part(text.ptx);
  std::error_code error;
  const fs::path folder = fs::path(file_).parent_path();
  fs::create_directories(folder, error);
  try {
    write_file(file_, entry);
    make_room(folder);
  } catch (const InputError&) {  // no room, no rights: it is made again next time
  }
}

}  // namespace teslasim::cuda
