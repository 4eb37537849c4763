#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Grades lab 7: exit 0 when the intensity.asm of a student's folder meets the gate, else 1. usage: sh grade.sh FOLDER
set -eu
teacher=$(dirname "$0")
teslasim run "$1/intensity.asm" --launch "$teacher/intensity.launch.toml" -c gtx280 --max-cycles 10000000 --no-out -q --expect "@$teacher/expect" || exit 1
teslasim run "$1/intensity.asm" --launch "$teacher/intensity.launch.toml" -c gtx280 --param iterations=96 --max-cycles 1000000 --no-out -q \
  --expect outputs_ok --expect 'time_ms < 0.095' || exit 1
