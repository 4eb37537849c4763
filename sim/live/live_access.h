// SPDX-License-Identifier: Apache-2.0
// Who may talk to the live view of a run. It listens on the loopback interface, which every user of the host and every
// page in a browser can reach: so a request needs the token, a name of this host that nobody can point elsewhere, and,
// when a page made it, that page is the live view itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

/// What a request says of where it comes from; each header as often as it was sent.
struct LiveCredentials {
  std::string token;  ///< empty: none
  std::vector<std::string> hosts, origins, fetch_sites;
};

class LiveAccess {
 public:
  LiveAccess(std::string token, unsigned port);
  /// Why the request is refused, as a sentence for its sender; nothing: it is not.
  [[nodiscard]] std::optional<std::string> refusal(const LiveCredentials& from) const;
  [[nodiscard]] const std::string& token() const { return token_; }
  /// "http://127.0.0.1:8080/?token=...": what opens the page.
  [[nodiscard]] std::string address() const;

 private:
  [[nodiscard]] bool is_own_host(std::string_view host) const;

  std::string token_;
  std::string loopback_, localhost_;  ///< as browsers write them in Host
};

/// 128 random bits of the system as 32 hexadecimal digits. Throws InputError (environment) when it gives none.
[[nodiscard]] std::string random_token();

}  // namespace teslasim
