// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/output_file.h"
