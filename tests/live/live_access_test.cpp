// SPDX-License-Identifier: Apache-2.0
// Datasheet of access to the live view: one way in, and what keeps everybody else out.
#include "sim/live/live_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace teslasim {
namespace {

using ::testing::HasSubstr;

constexpr const char* secret = "0123456789abcdef0123456789abcdef";

/// A page of the live view itself.
LiveCredentials own() {
  return {secret, {"127.0.0.1:8080"}, {"http://127.0.0.1:8080"}, {"same-origin"}};
}

std::string refusal(const LiveCredentials& from, unsigned port = 8080) {
  return LiveAccess(secret, port).refusal(from).value_or("");
}

TEST(LiveAccess, is_for_the_page_itself_and_for_programs_with_the_token) {
  EXPECT_EQ(refusal(own()), "");
  EXPECT_EQ(refusal({secret, {"localhost:8080"}, {"http://localhost:8080"}, {"same-origin"}}), "");
  EXPECT_EQ(refusal({secret, {"127.0.0.1:8080"}, {}, {}}), "");
  EXPECT_EQ(refusal({secret, {"127.0.0.1:8080"}, {}, {"none"}}), "") << "an address that was typed";
}

TEST(LiveAccess, needs_the_whole_token) {
  for (const char* token : {"", "0123456789abcdef0123456789abcdee", "0123456789abcdef",
                            "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcdef0"}) {
    LiveCredentials from = own();
    from.token = token;
    EXPECT_THAT(refusal(from), HasSubstr("token")) << token;
  }
}

TEST(LiveAccess, is_by_names_that_lead_nowhere_else) {
  for (const char* host : {"evil.example:8080", "127.0.0.1", "127.0.0.1:80", "localhost", "127.0.0.1.evil.example:8080",
                           "0.0.0.0:8080", "[::1]:8080", ""}) {
    LiveCredentials from = own();
    from.hosts = {host};
    from.origins.clear();
    EXPECT_THAT(refusal(from), HasSubstr("only")) << host;
  }
  LiveCredentials from = own();
  from.hosts.clear();
  EXPECT_THAT(refusal(from), HasSubstr("only"));
  from.hosts = {"127.0.0.1:8080", "evil.example"};
  EXPECT_THAT(refusal(from), HasSubstr("only"));
}

TEST(LiveAccess, is_not_for_pages_of_others) {
  for (const char* origin : {"http://evil.example", "null", "", "http://127.0.0.1", "http://127.0.0.1:8081",
                             "https://127.0.0.1:8080", "http://localhost:8080", "http://127.0.0.1:8080.evil.example"}) {
    LiveCredentials from = own();
    from.origins = {origin};
    EXPECT_THAT(refusal(from), HasSubstr("origin")) << origin;
  }
  LiveCredentials from = own();
  from.origins.emplace_back("http://evil.example");
  EXPECT_THAT(refusal(from), HasSubstr("origin"));
  for (const char* site : {"cross-site", "same-site", ""}) {
    from = own();
    from.fetch_sites = {site};
    EXPECT_THAT(refusal(from), HasSubstr("other pages")) << site;
  }
}

TEST(LiveAccess, browsers_leave_out_the_port_of_http) {
  EXPECT_EQ(refusal({secret, {"127.0.0.1"}, {"http://127.0.0.1"}, {}}, 80), "");
  EXPECT_EQ(LiveAccess("abc", 80).address(), "http://127.0.0.1/?token=abc");
  EXPECT_EQ(LiveAccess("abc", 8080).address(), "http://127.0.0.1:8080/?token=abc");
}

TEST(RandomToken, is_another_one_each_time) {
  const std::string token = random_token();
  EXPECT_THAT(token, ::testing::MatchesRegex("[0-9a-f]+"));
  EXPECT_EQ(token.size(), 32U);
  EXPECT_NE(token, random_token());
}

}  // namespace
}  // namespace teslasim
