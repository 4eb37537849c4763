#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Grades lab 8: exit 0 when the design.txt of a student's folder meets the gate, else 1. usage: sh grade.sh FOLDER
set -eu
teacher=$(dirname "$0")
bound_of() { sed -n "s/^$1 *<=* *//p" "$teacher/expect"; }
sh "$teacher/check.sh" "$1/design.txt" "$(bound_of area_mm2)" "$(bound_of simulated_ms)" || exit 1
