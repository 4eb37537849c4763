// SPDX-License-Identifier: Apache-2.0
#include "sim/app/commands/new_readme.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string_view>

#include "sim/run/plans/shell_word.h"
#include "sim/run/plans/sweep_run.h"
#include "sim/run/shipped/examples.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view own_kernel = R"(## A kernel of your own

It doubles the 64 numbers of a buffer. `$r0` holds the index of the thread, parameters are in `s[...]`, memory is `g[...]`:

```sh
cat > own.asm <<'END'
.entry twice
{
  .param ptr data
    and.b32  $r1, $r0, 0x0000ffff    // index of the thread
    shl.u32  $r1, $r1, 2             // 4 bytes each
    add.u32  $r1, s[data], $r1       // address of data[index]
    mov.u32  $r2, g[$r1]
    add.f32  $r2, $r2, $r2
    mov.end.u32 g[$r1], $r2          // the thread ends here
}
END
teslasim run own.asm --grid 1 --block 64 --param 'data=f32[64]:iota' --dump data=data.npy -c gtx280
```

Options are enough for one launch. A launch file beside the kernel keeps it; several launches and checks of results need one:

```sh
cat > own.launch.toml <<'END'
schema = "teslasim.launch/1"
grid   = [1]
block  = [64]
param  = [{ name = "data", type = "f32", count = 64, init = "iota" }]
END
teslasim run own.asm -c 8800gtx
```

Then change something and look again: `teslasim explain coalescing`, `teslasim explain --list`.
)";

bool is_in_path() {
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string candidate = std::string(rest.substr(0, colon)) + "/teslasim";
    if (::access(candidate.c_str(), X_OK) == 0) return true;
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return false;
}

/// Where a link of an example's page leads in a folder that has the examples `names` alone.
std::string link_here(const std::string& text, const std::string& target, const std::vector<std::string>& names) {
  const std::string example = fs::path(target).filename().string();
  if (target.starts_with("../../")) return fmt::format("{} (in the sources: {})", text, target.substr(6));
  if (std::find(names.begin(), names.end(), example) != names.end()) return fmt::format("[{}](#{})", text, example);
  return fmt::format("{} (`teslasim new DIR {}`)", text, example);
}

std::string page_of(const std::string& example, const std::vector<std::string>& names) {
  static const std::regex link(R"(\[([^\]]+)\]\(([^)]+)\))");
  const std::string page = example_readme(example);
  std::string text = "#";  // its title becomes a heading of this page
  std::size_t at = 0;
  for (auto match = std::sregex_iterator(page.begin(), page.end(), link); match != std::sregex_iterator(); ++match) {
    const auto begin = static_cast<std::size_t>(match->position());
    text += page.substr(at, begin - at) + link_here((*match)[1], (*match)[2], names);
    at = begin + static_cast<std::size_t>(match->length());
  }
  return text + page.substr(at);
}

std::string first_commands(const std::vector<std::string>& names) {
  std::string text = "```sh\n";
  for (const std::string& name : names) text += fmt::format("teslasim run {}.asm -c gtx280\n", name);
  if (names.size() > 1) text += "teslasim compare 1 2\nteslasim compare 1 2 --html both.html\n";
  return text + fmt::format(
                    "teslasim models {0}.asm -c gtx280\nteslasim run {0}.asm -c 8800gtx -s "
                    "sm.shared.banks=32\nteslasim explain replay.shared_bank\n```\n",
                    names.front());
}

}  // namespace

std::string callable_program() {
  return is_in_path() ? "teslasim" : shell_word(own_program());
}

std::string new_readme(const std::vector<std::string>& names) {
  std::string text = fmt::format("# Worked examples: {}\n\n", fmt::join(names, ", "));
  text += fmt::format(
      "Each kernel is `NAME.asm`, and what to run it on is `NAME.launch.toml`. Nothing here depends on where this "
      "folder is:\n"
      "move it, copy it. If the shell does not find `teslasim`, say once where the program is:\n\n```sh\nexport "
      "PATH={}:\"$PATH\"\n```\n\n## First commands\n\n",
      shell_word(fs::path(own_program()).parent_path().string()));
  text +=
      first_commands(names) +
      "\nEach run prints a summary and leaves `runs/NNN-...` with all numbers; open `report.html` there in a browser.\n"
      "`teslasim configs list` names the machines for `-c`.\n\n";
  text += own_kernel;
  for (const std::string& name : names) text += "\n" + page_of(name, names);
  return text;
}

}  // namespace teslasim
