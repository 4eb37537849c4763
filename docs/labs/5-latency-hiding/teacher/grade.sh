#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Grades lab 5: exit 0 when the kernel meets the gate with the block and the grid of the scale.launch.toml in a student's folder,
# else 1. usage: sh grade.sh FOLDER
set -eu
teacher=$(dirname "$0")
number_of() { sed -n "s/^$1[[:space:]]*=[[:space:]]*\[*[[:space:]]*\([0-9][0-9]*\).*/\1/p" "$2/scale.launch.toml"; }
block=$(number_of block "$1") && grid=$(number_of grid "$1") || exit 1
echo "block $block, grid $grid"
teslasim run "$teacher/scale.asm" --launch "$teacher/given.launch.toml" -c gtx280 --block "$block" --grid "$grid" --no-out -q \
  --expect "@$teacher/expect" || exit 1
