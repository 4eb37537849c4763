#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Grades lab 6: exit 0 when the sum.asm of a student's folder meets the gate on all machines and with all schedulers, without a
# barrier in divergent code, else 1. usage: sh grade.sh FOLDER
set -eu
teacher=$(dirname "$0")
for machine in tiny 8800gtx gtx280; do
  for scheduler in loose_round_robin oldest gto two_level age_and_type; do
    echo "$machine, $scheduler"
    teslasim run "$1/sum.asm" --launch "$teacher/sum.launch.toml" -c "$machine" -s "sm.scheduler=$scheduler" --max-cycles 10000000 \
      -W error=KERNEL-BARRIER-DIVERGENT --no-out -q --expect "@$teacher/expect" || exit 1
  done
done
