// SPDX-License-Identifier: Apache-2.0
// All of the library: find_package(teslasim), teslasim::teslasim.
#pragma once

#include <teslasim/error.h>
#include <teslasim/kernel.h>
#include <teslasim/launch.h>
#include <teslasim/machine.h>
#include <teslasim/models.h>
#include <teslasim/run.h>
