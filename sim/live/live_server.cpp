// SPDX-License-Identifier: Apache-2.0
#include "sim/live/live_server.h"

#include "sim/base/diagnostic.h"

#ifdef TESLASIM_HTTPLIB
#include <fmt/format.h>
#include <httplib.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <thread>

#include "sim/live/live_site.h"
#endif

namespace teslasim {

#ifdef TESLASIM_HTTPLIB

namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr std::size_t most_requests_at_once = 4;
constexpr std::size_t largest_body = 4096;
// A browser opens connections that it may never use. The end of a run waits so long for them at most.
constexpr std::time_t patience = 1;

/// Threads made meanwhile get no signals: Ctrl-C is the simulation's, and a browser that goes away must not end the
/// program by SIGPIPE.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeldBack() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;

 private:
  sigset_t before_{};
};

/// The library ignores SIGPIPE for the whole program, which otherwise ends by it when nobody reads its output.
std::unique_ptr<httplib::Server> make_server() {
  struct sigaction before {};
  sigaction(SIGPIPE, nullptr, &before);
  auto server = std::make_unique<httplib::Server>();
  sigaction(SIGPIPE, &before, nullptr);
  return server;
}

/// A port that another program listens at is refused; the library's own choice (SO_REUSEPORT) would share it. One of a
/// run that has just ended is not in the way.
void set_socket_options(int socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

std::vector<std::string> all_headers(const httplib::Request& request, const char* name) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < request.get_header_value_count(name); ++i)
    values.push_back(request.get_header_value(name, i));
  return values;
}

LiveCall call_of(const httplib::Request& request) {
  LiveCall call;
  call.method = request.method;
  call.path = request.path;
  for (const auto& [name, value] : request.params) call.parameters.emplace(name, value);
  const std::vector<std::string> tokens = all_headers(request, "X-Teslasim-Token");
  if (tokens.size() == 1) call.from.token = tokens.front();
  if (tokens.empty() && request.get_param_value_count("token") == 1) call.from.token = request.get_param_value("token");
  call.from.hosts = all_headers(request, "Host");
  call.from.origins = all_headers(request, "Origin");
  call.from.fetch_sites = all_headers(request, "Sec-Fetch-Site");
  return call;
}

[[noreturn]] void port_error(unsigned port, int error) {
  Diagnostic diagnostic;
  diagnostic.code = "ENV-PORT";
  diagnostic.message = fmt::format("--serve: cannot listen on port {} of {}", port, loopback);
  if (error != 0) diagnostic.message += fmt::format(": {}", std::strerror(error));
  diagnostic.help = "--serve without a number takes a free port";
  throw InputError(ExitCode::environment, std::move(diagnostic));
}

}  // namespace

std::string live_server_library() {
  return "cpp-httplib " CPPHTTPLIB_VERSION;
}

class LiveServer::Implementation {
 public:
  Implementation(LiveBoard& board, unsigned port) {
    server_->set_socket_options(set_socket_options);
    server_->set_tcp_nodelay(true);
    server_->set_keep_alive_max_count(1);  // a connection that waits would hold a thread
    server_->set_keep_alive_timeout(patience);
    server_->set_read_timeout(patience);
    server_->set_payload_max_length(largest_body);
    server_->new_task_queue = [] { return new httplib::ThreadPool(most_requests_at_once); };
    errno = 0;
    int bound = static_cast<int>(port);
    if (port == 0) bound = server_->bind_to_any_port(loopback);
    if (bound <= 0 || (port != 0 && !server_->bind_to_port(loopback, bound))) port_error(port, errno);
    site_ = std::make_unique<LiveSite>(board, LiveAccess(random_token(), static_cast<unsigned>(bound)));
    // Every request, of whatever method and path, is answered here: the library's own answers know nothing of tokens.
    server_->set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
      return httplib::Server::HandlerResponse::Handled;
    });
    const SignalsHeldBack held_back;
    thread_ = std::thread([this] { server_->listen_after_bind(); });
    while (!server_->is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ~Implementation() {
    server_->stop();
    thread_.join();
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;
  [[nodiscard]] std::string address() const { return site_->access().address(); }

 private:
  void answer(const httplib::Request& request, httplib::Response& response) const {
    const LiveAnswer answer = site_->answer(call_of(request));
    response.status = answer.status;
    for (const auto& [name, value] : answer.headers) response.set_header(name, value);
    response.set_content(answer.body, answer.type);
  }

  std::unique_ptr<httplib::Server> server_ = make_server();
  std::unique_ptr<LiveSite> site_;
  std::thread thread_;
};

#else

std::string live_server_library() {
  return "left out: built without libcpp-httplib-dev";
}

class LiveServer::Implementation {
 public:
  Implementation(LiveBoard& /*board*/, unsigned /*port*/) {
    Diagnostic diagnostic;
    diagnostic.code = "ENV-LIBRARY";
    diagnostic.message = "--serve: this program was built without cpp-httplib";
    diagnostic.help = "apt-get install libcpp-httplib-dev, then configure and build again (./quickstart does both)";
    throw InputError(ExitCode::environment, std::move(diagnostic));
  }
  [[nodiscard]] static std::string address() { return {}; }
};

#endif

LiveServer::LiveServer(LiveBoard& board, unsigned port)
    : implementation_(std::make_unique<Implementation>(board, port)) {}
LiveServer::~LiveServer() = default;

std::string LiveServer::address() const {
  return implementation_->address();
}

}  // namespace teslasim
