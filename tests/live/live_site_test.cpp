// SPDX-License-Identifier: Apache-2.0
// Datasheet of what the live view answers, without a socket.
#include "sim/live/live_site.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/base/output_file.h"
#include "sim/base/temporary_folder.h"

namespace teslasim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* secret = "0123456789abcdef0123456789abcdef";

LiveView view() {
  LiveView view;
  view.name = "reduce1";
  view.machine = "GeForce GTX 280";
  view.sms = 30;
  view.progress.kernel = "a\"kernel\xff";
  view.progress.ctas_done = 7;
  view.progress.ctas_total = 40;
  view.counters.emplace();
  view.counters->slots[SlotReason::issued] = 100;
  view.counters->slots[SlotReason::mem_global] = 300;
  view.counters->read_bytes = 4096;
  view.counters->caches.push_back({"textures, first level", 3, 1});
  return view;
}

struct Site {
  LiveBoard board;
  LiveSite site{board, LiveAccess(secret, 8080)};
  Site() { board.post(view()); }

  [[nodiscard]] LiveAnswer ask(const std::string& method, const std::string& path, const std::string& sm = "",
                               const std::string& token = secret) const {
    LiveCall call;
    call.method = method;
    call.path = path;
    call.from = {token, {"127.0.0.1:8080"}, {}, {}};
    if (!sm.empty()) call.parameters["sm"] = sm;
    return site.answer(call);
  }
  [[nodiscard]] nlohmann::json get(const std::string& path) const {
    return nlohmann::json::parse(ask("GET", path).body);
  }
};

std::string header(const LiveAnswer& answer, std::string_view name) {
  std::string value;
  for (const auto& [key, text] : answer.headers) value += key == name ? text : "";
  return value;
}

TEST(LiveSite, refuses_everything_without_the_token) {
  const Site site;
  for (const char* path :
       {"/", "/api/state", "/api/history", "/api/stop", "/files/snapshot-1/stats.json", "/nothing"}) {
    for (const char* method : {"GET", "POST", "OPTIONS", "PUT"}) {
      const LiveAnswer answer = site.ask(method, path, "", "");
      EXPECT_EQ(answer.status, 403) << method << ' ' << path;
      EXPECT_THAT(answer.body, Not(HasSubstr(secret)));
      EXPECT_EQ(header(answer, "Access-Control-Allow-Origin"), "");
    }
  }
  EXPECT_FALSE(site.board.has_wishes());
}

TEST(LiveSite, reads_with_get_and_acts_with_post_only) {
  const Site site;
  for (const char* path : {"/", "/api/state", "/api/history", "/files/timeline-1.pftrace.gz"})
    EXPECT_EQ(site.ask("POST", path).status, 405) << path;
  for (const char* path : {"/api/stop", "/api/snapshot", "/api/timeline/start", "/api/timeline/stop"})
    EXPECT_EQ(site.ask("GET", path).status, 405) << path;
  EXPECT_EQ(site.ask("DELETE", "/api/state").status, 405);
  EXPECT_EQ(site.ask("GET", "/api/nothing").status, 404);
  EXPECT_FALSE(site.board.has_wishes());
}

TEST(LiveSite, the_page_runs_its_own_script_and_loads_nothing_else) {
  const Site site;
  const LiveAnswer first = site.ask("GET", "/"), second = site.ask("GET", "/");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.type, "text/html; charset=utf-8");
  const std::string policy = header(first, "Content-Security-Policy");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_NE(policy, header(second, "Content-Security-Policy")) << "its number is used once";
  EXPECT_THAT(first.body, Not(HasSubstr("{{")));
  for (const char* outside : {"src=", "@import", "url(", "//cdn"}) EXPECT_THAT(first.body, Not(HasSubstr(outside)));
}

TEST(LiveSite, every_answer_stays_with_who_asked) {
  const Site site;
  for (const char* path : {"/", "/api/state", "/api/nothing"}) {
    const LiveAnswer answer = site.ask("GET", path);
    EXPECT_EQ(header(answer, "Cache-Control"), "no-store");
    EXPECT_EQ(header(answer, "Referrer-Policy"), "no-referrer");
    EXPECT_EQ(header(answer, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(header(answer, "Cross-Origin-Resource-Policy"), "same-origin");
    EXPECT_THAT(header(answer, "Content-Security-Policy"), HasSubstr("frame-ancestors 'none'"));
  }
}

TEST(LiveSite, the_state_is_what_was_posted) {
  const Site site;
  const nlohmann::json state = site.get("/api/state");
  EXPECT_EQ(state["schema"], "teslasim.live/1");
  EXPECT_EQ(state["phase"], "running");
  EXPECT_EQ(state["progress"]["ctas_done"], 7);
  EXPECT_EQ(state["progress"]["kernel"], "a\"kernel\xEF\xBF\xBD") << "names may be any bytes";
  EXPECT_TRUE(state["progress"]["eta_s"].is_null());
  ASSERT_EQ(state["slots"].size(), 2U) << "reasons that nothing was charged to are left out";
  EXPECT_EQ(state["slots"][0]["reason"], "issued");
  EXPECT_EQ(state["slots"][1]["slots"], 300);
  EXPECT_EQ(state["traffic"]["dram_read_bytes"], 4096);
  EXPECT_EQ(state["traffic"]["caches"][0]["hits"], 3);
  EXPECT_TRUE(state["directory"].is_null());
  EXPECT_TRUE(state["recording"].is_null());
  EXPECT_EQ(state["history_points"], 1);
  const nlohmann::json history = site.get("/api/history");
  EXPECT_EQ(history["slots"]["mem.global"], nlohmann::json::array({300}));
  EXPECT_EQ(history["seconds"].size(), history["dram_write_bytes"].size());
}

TEST(LiveSite, a_functional_run_has_neither_slots_nor_traffic) {
  Site site;
  LiveView functional = view();
  functional.counters.reset();
  site.board.post(functional);
  EXPECT_TRUE(site.get("/api/state")["slots"].is_null());
  EXPECT_TRUE(site.get("/api/state")["traffic"].is_null());
}

TEST(LiveSite, actions_become_wishes_or_say_why_not) {
  Site site;
  EXPECT_EQ(site.ask("POST", "/api/snapshot").status, 202);
  EXPECT_EQ(site.ask("POST", "/api/timeline/start", "7").status, 202);
  EXPECT_EQ(site.board.take_wishes().at(1).sm, 7U);
  const LiveAnswer none = site.ask("POST", "/api/timeline/start", "30");
  EXPECT_EQ(none.status, 409);
  EXPECT_THAT(none.body, HasSubstr("there is no SM 30"));
  for (const char* wrong : {"-1", "1x", "99999999999", "one"})
    EXPECT_EQ(site.ask("POST", "/api/timeline/start", wrong).status, 400) << wrong;
  EXPECT_EQ(site.ask("POST", "/api/timeline/stop").status, 409);
  EXPECT_FALSE(site.board.has_wishes());
}

TEST(LiveSite, hands_out_finished_files_by_their_names_and_no_others) {
  const TemporaryFolder folder("live-site");
  write_file(folder.file("stats.json"), "{}");
  write_file(folder.file("secret"), "?");
  Site site;
  LiveView with = view();
  with.products.resize(2);
  with.products[0].path = folder.path();
  with.products[1].number = 2;
  with.products[1].path = folder.path();
  with.products[0].state = LiveProduct::State::written;
  site.board.post(with);
  const LiveAnswer answer = site.ask("GET", "/files/snapshot-1/stats.json");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "{}");
  EXPECT_EQ(header(answer, "Content-Disposition"), "attachment; filename=\"snapshot-1-stats.json\"");
  for (const char* name : {"snapshot-1/secret", "snapshot-1/../secret", "snapshot-2/stats.json", "snapshot-1", "",
                           "../secret", "/etc/passwd", "timeline-1.pftrace.gz", "snapshot-1/report.html"})
    EXPECT_EQ(site.ask("GET", std::string("/files/") + name).status, 404) << name;
}

}  // namespace
}  // namespace teslasim
