// SPDX-License-Identifier: Apache-2.0
#include "sim/live/live_access.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr unsigned port_of_http = 80;
constexpr std::string_view scheme = "http://";

std::string with_port(const char* name, unsigned port) {
  return port == port_of_http ? std::string(name) : fmt::format("{}:{}", name, port);
}

/// Takes equally long wherever the first difference is.
bool same_secret(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    difference |= static_cast<unsigned char>(left[i]) ^ static_cast<unsigned>(static_cast<unsigned char>(right[i]));
  }
  return difference == 0;
}

}  // namespace

LiveAccess::LiveAccess(std::string token, unsigned port)
    : token_(std::move(token)), loopback_(with_port("127.0.0.1", port)), localhost_(with_port("localhost", port)) {}

std::string LiveAccess::address() const {
  return fmt::format("{}{}/?token={}", scheme, loopback_, token_);
}

bool LiveAccess::is_own_host(std::string_view host) const {
  return host == loopback_ || host == localhost_;
}

/// The name first: whoever came by another one shall not learn whether his token is right.
std::optional<std::string> LiveAccess::refusal(const LiveCredentials& from) const {
  if (from.hosts.size() != 1 || !is_own_host(from.hosts.front()))
    return "the live view answers to " + loopback_ + " and " + localhost_ + " only";
  const auto is_own_origin = [&](const std::string& origin) {
    return origin.starts_with(scheme) && origin.substr(scheme.size()) == from.hosts.front();
  };
  if (from.origins.size() > 1 || !std::all_of(from.origins.begin(), from.origins.end(), is_own_origin))
    return "the live view does not answer to pages of other origins";
  const auto is_own_site = [](const std::string& site) { return site == "same-origin" || site == "none"; };
  if (from.fetch_sites.size() > 1 || !std::all_of(from.fetch_sites.begin(), from.fetch_sites.end(), is_own_site))
    return "the live view is not opened from other pages: copy its address into the browser";
  if (!same_secret(from.token, token_)) return "the token is missing or wrong: use the address that the run printed";
  return std::nullopt;
}

std::string random_token() {
  std::array<std::uint8_t, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    Diagnostic diagnostic;
    diagnostic.code = "ENV-RANDOM";
    diagnostic.message = "the system gives no random numbers, which the token of the live view is made of";
    diagnostic.help = "run without --serve";
    throw InputError(ExitCode::environment, std::move(diagnostic));
  }
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace teslasim
