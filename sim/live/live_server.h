// SPDX-License-Identifier: Apache-2.0
// The HTTP server of a live view: cpp-httplib, on 127.0.0.1 alone, in threads of its own that no signal interrupts.
// What it answers is LiveSite's. Built where the library is there (TESLASIM_LIVE); otherwise it says so when it is
// made.
#pragma once

#include <memory>
#include <string>

#include "sim/live/live_board.h"

namespace teslasim {

/// "cpp-httplib 0.11.4", or what is missing.
[[nodiscard]] std::string live_server_library();

class LiveServer {
 public:
  /// Answers from now on. Port 0: a free one. `board` outlives it. Throws InputError: environment, ENV-PORT when the
  /// port cannot be taken, ENV-LIBRARY when the program was built without the library.
  LiveServer(LiveBoard& board, unsigned port);
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  /// With the token: what opens the page.
  [[nodiscard]] std::string address() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace teslasim
