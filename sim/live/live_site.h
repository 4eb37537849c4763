// SPDX-License-Identifier: Apache-2.0
// What the live view answers to which request, without a socket: the page, the state as JSON, finished files, and
// actions. GET reads and changes nothing; POST leaves a wish on the board.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/live/live_access.h"
#include "sim/live/live_board.h"

namespace teslasim {

struct LiveCall {
  std::string method;
  std::string path;  ///< without what follows '?'
  std::map<std::string, std::string> parameters;
  LiveCredentials from;
};

struct LiveAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

class LiveSite {
 public:
  /// `board` outlives it.
  LiveSite(LiveBoard& board, LiveAccess access) : board_(board), access_(std::move(access)) {}
  /// May be called by several threads at once.
  [[nodiscard]] LiveAnswer answer(const LiveCall& call) const;
  [[nodiscard]] const LiveAccess& access() const { return access_; }

 private:
  [[nodiscard]] LiveAnswer read(const LiveCall& call) const;
  [[nodiscard]] LiveAnswer act(const LiveCall& call) const;
  [[nodiscard]] LiveAnswer file(const std::string& name) const;

  LiveBoard& board_;
  LiveAccess access_;
};

}  // namespace teslasim
