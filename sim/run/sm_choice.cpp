// SPDX-License-Identifier: Apache-2.0
#include "sim/run/sm_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/run/block_choice.h"
#include "sim/run/usage_error.h"

namespace teslasim {

std::vector<unsigned> sm_list(std::string_view option, const std::string& text) {
  std::vector<unsigned> sms;
  for (const NumberRanges::Range& range : parse_ranges(option, text).ranges) {
    constexpr std::uint64_t most = 0xffff;
    if (range.last > most)
      usage_error("CLI-VALUE", fmt::format("--{}: no machine has an SM {}", option, range.last),
                  fmt::format("for example --{} 0-2,5", option));
    for (std::uint64_t sm = range.first; sm <= range.last; ++sm) sms.push_back(static_cast<unsigned>(sm));
  }
  return sms;
}

void check_sm(unsigned sm, const MachineSpec& machine) {
  if (sm < machine.sms()) return;
  usage_error("CLI-VALUE", fmt::format("there is no SM {}: {} has {}", sm, machine.name, machine.sms()),
              machine.sms() == 1 ? "its only SM is 0" : fmt::format("its SMs are 0-{}", machine.sms() - 1));
}

std::vector<unsigned> warp_sms(const RunSettings& settings, const MachineSpec& machine) {
  const std::string& text = settings.warp_sms;
  const bool timed = settings.mode == Mode::timing;
  if (text == "none" || (text.empty() && !timed)) return {};
  if (text.empty()) return {0};
  if (!timed)
    usage_error("CLI-VALUE", "--warp-sms keeps the times of warps, --mode functional has none",
                "leave one of them out");
  if (text == "all") {
    std::vector<unsigned> sms(machine.sms());
    std::iota(sms.begin(), sms.end(), 0U);
    return sms;
  }
  std::vector<unsigned> sms = sm_list("warp-sms", text);
  for (const unsigned sm : sms) check_sm(sm, machine);
  std::sort(sms.begin(), sms.end());
  sms.erase(std::unique(sms.begin(), sms.end()), sms.end());
  return sms;
}

}  // namespace teslasim
