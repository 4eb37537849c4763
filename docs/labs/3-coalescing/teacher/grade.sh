#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Grades lab 3: exit 0 when the fields.asm of a student's folder meets the gate on both machines, else 1. usage: sh grade.sh FOLDER
set -eu
teacher=$(dirname "$0")
for machine in 8800gtx gtx280; do
  echo "$machine"
  teslasim run "$1/fields.asm" --launch "$teacher/fields.launch.toml" -c "$machine" --no-out -q --expect "@$teacher/expect" || exit 1
done
