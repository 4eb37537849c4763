// SPDX-License-Identifier: Apache-2.0
#include "sim/live/live_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>

#include "sim/base/embedded_file.h"
#include "sim/live/live_json.h"

namespace teslasim {

extern const std::span<const EmbeddedFile> live_files;

namespace {

constexpr int forbidden = 403, not_found = 404, wrong_method = 405, conflict = 409, bad_request = 400, accepted = 202;
// Not the bare name: of that one the library would make compressed answers, which cost the simulation processor time.
constexpr const char* json_type = "application/json; charset=utf-8";

LiveAnswer refused(int status, std::string why) {
  LiveAnswer answer;
  answer.status = status;
  answer.body = std::move(why) + "\n";
  return answer;
}

LiveAnswer json(std::string body) {
  LiveAnswer answer;
  answer.type = json_type;
  answer.body = std::move(body);
  return answer;
}

/// The page, whose script and style are the only ones that may run in it: they carry a number used once.
LiveAnswer page() {
  constexpr std::string_view mark = "{{nonce}}";
  const std::string nonce = random_token();
  LiveAnswer answer;
  answer.type = "text/html; charset=utf-8";
  answer.body = live_files.front().text;
  for (std::size_t at = 0; (at = answer.body.find(mark, at)) != std::string::npos;)
    answer.body.replace(at, mark.size(), nonce);
  answer.headers.emplace_back(
      "Content-Security-Policy",
      fmt::format("default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; connect-src 'self'; "
                  "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                  nonce));
  return answer;
}

LiveAnswer download(const std::string& path, const std::string& name) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  if (!stream) return refused(not_found, "'" + path + "' cannot be read");
  LiveAnswer answer;
  answer.type = "application/octet-stream";
  answer.body = std::move(bytes).str();
  answer.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + name + "\"");
  return answer;
}

std::optional<LiveAction> action_of(const std::string& path) {
  if (path == "/api/stop") return LiveAction::stop;
  if (path == "/api/snapshot") return LiveAction::snapshot;
  if (path == "/api/timeline/start") return LiveAction::begin_timeline;
  if (path == "/api/timeline/stop") return LiveAction::end_timeline;
  return std::nullopt;
}

bool is_read(const std::string& path) {
  return path == "/" || path == "/api/state" || path == "/api/history" || path.starts_with("/files/");
}

}  // namespace

LiveAnswer LiveSite::answer(const LiveCall& call) const {
  LiveAnswer answer = [&] {
    if (const std::optional<std::string> why = access_.refusal(call.from)) return refused(forbidden, *why);
    if (is_read(call.path)) {
      return call.method == "GET" ? read(call) : refused(wrong_method, call.path + " is read with GET");
    }
    if (action_of(call.path)) {
      return call.method == "POST" ? act(call) : refused(wrong_method, call.path + " is an action: POST");
    }
    return refused(not_found, "there is nothing at " + call.path);
  }();
  const auto has_policy = [](const auto& header) { return header.first == "Content-Security-Policy"; };
  if (std::none_of(answer.headers.begin(), answer.headers.end(), has_policy))
    answer.headers.emplace_back("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  // The address has the token: it is sent nowhere, and nothing is kept or shown within other pages.
  constexpr std::array<std::pair<const char*, const char*>, 6> always{
      {{"Cache-Control", "no-store"},
       {"Referrer-Policy", "no-referrer"},
       {"X-Content-Type-Options", "nosniff"},
       {"X-Frame-Options", "DENY"},
       {"Cross-Origin-Opener-Policy", "same-origin"},
       {"Cross-Origin-Resource-Policy", "same-origin"}}};
  for (const auto& [name, value] : always) answer.headers.emplace_back(name, value);
  return answer;
}

LiveAnswer LiveSite::read(const LiveCall& call) const {
  if (call.path == "/") return page();
  if (call.path == "/api/state") return json(live_json(*board_.view(), board_.history_points()));
  if (call.path == "/api/history") return json(live_history_json(board_.history()));
  return file(call.path.substr(std::string_view("/files/").size()));
}

/// Files of the products alone, by their names: no path of a request ever becomes one of the host.
LiveAnswer LiveSite::file(const std::string& name) const {
  const std::shared_ptr<const LiveView> view = board_.view();
  for (const LiveProduct& product : view->products) {
    if (product.state != LiveProduct::State::written) continue;
    const std::string own = product_name(product);
    if (product.kind == LiveProduct::Kind::timeline && name == own + ".pftrace.gz") return download(product.path, name);
    for (const char* part : {"stats.json", "report.html"}) {
      if (product.kind == LiveProduct::Kind::snapshot && name == own + "/" + part)
        return download(product.path + "/" + part, own + "-" + part);
    }
  }
  return refused(not_found, "there is no file '" + name + "'");
}

LiveAnswer LiveSite::act(const LiveCall& call) const {
  LiveWish wish;
  wish.action = *action_of(call.path);
  if (const auto sm = call.parameters.find("sm"); sm != call.parameters.end()) {
    const std::string& text = sm->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), wish.sm);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty())
      return refused(bad_request, "sm is the number of an SM, got '" + text + "'");
  }
  if (const std::optional<std::string> why = board_.wish(wish)) return refused(conflict, *why);
  LiveAnswer answer = json(R"({"accepted": true})");
  answer.status = accepted;
  return answer;
}

}  // namespace teslasim
