#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Grades lab 4: exit 0 when the transpose.asm of a student's folder meets the gate, else 1. usage: sh grade.sh FOLDER
set -eu
teacher=$(dirname "$0")
teslasim run "$1/transpose.asm" --launch "$teacher/transpose.launch.toml" -c gtx280 --no-out -q --expect "@$teacher/expect" || exit 1
