#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Simulates the design in a file on the three kernels beside this script and prints its area and the geometric mean of its times.
# Exit 0 when it takes at most AREA units and less than MS milliseconds. usage: sh check.sh DESIGN AREA MS
set -eu
[ $# = 3 ] || { echo 'usage: sh check.sh DESIGN AREA MS' >&2; exit 2; }
design=$1 area=$2 ms=$3
kernels=$(cd "$(dirname "$0")" && pwd)
value_of() { sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*\([0-9][0-9]*\)[[:space:]]*$/\1/p" "$design"; }
tpcs=$(value_of gpu.tpcs) registers=$(value_of sm.registers) shared=$(value_of sm.shared.bytes)
[ "$tpcs" ] && [ "$registers" ] && [ "$shared" ] || { echo "$design: one line each for gpu.tpcs, sm.registers and sm.shared.bytes" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat > "$scratch/plan.toml" <<END
schema = "teslasim.dse/1"
name = "check"
machine = "gtx280"
inputs = ["$kernels/matmul_tiled.launch.toml", "$kernels/mad_chain.launch.toml", "$kernels/saxpy.launch.toml"]
[axes]
"gpu.tpcs" = [$tpcs]
"sm.registers" = [$registers]
"sm.shared.bytes" = [$shared]
[area]
budget = 100000.0            # whatever it takes: the area is compared below
tolerance = 1.0
fixed = 0.0
per_sm = 3.99                # source: Ye 2009, Table 8
per_register = 0.000352      # source: Ye 2009, Table 9
per_shared_byte = 0.000036   # source: Ye 2009, Table 9
[screen]
model = "zhang-owens"
keep = 1
END
teslasim dse "$scratch/plan.toml" -q --runs-dir "$scratch" --progress none
awk -F, -v area="$area" -v ms="$ms" '
  NR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i }
  NR == 2 { a = $column["area_mm2"]; t = $column["simulated_ms"]; why = $column["why"] }
  END {
    printf "area %s of %s units, time %s of %s ms%s\n", a, area, t, ms, why == "" ? "" : " (" why ")"
    exit !(a != "" && t != "" && a + 0 <= area + 0 && t + 0 < ms + 0)
  }' "$scratch/dse-check/table.csv"
