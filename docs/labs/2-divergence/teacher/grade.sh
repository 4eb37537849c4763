#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Grades lab 2: exit 0 when the collatz.asm of a student's folder meets the gate, else 1. usage: sh grade.sh FOLDER
set -eu
teacher=$(dirname "$0")
teslasim run "$1/collatz.asm" --launch "$teacher/collatz.launch.toml" -c tiny --max-cycles 10000000 --no-out -q --expect "@$teacher/expect" || exit 1
