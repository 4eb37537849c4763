#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Grades lab 1: exit 0 when the lower.asm of a student's folder meets the gate, else 1. usage: sh grade.sh FOLDER
set -eu
teacher=$(dirname "$0")
teslasim run "$1/lower.asm" --launch "$teacher/lower.launch.toml" -c tiny --block 32 --grid 12 --no-out -q --expect "@$teacher/expect" || exit 1
