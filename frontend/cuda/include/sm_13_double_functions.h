// SPDX-License-Identifier: Apache-2.0
// f64 operations with a rounding mode, conversions and bits of a double: compute capability 1.3.
#pragma once

#include "device_functions.h"

#if TESLASIM_CAPABILITY >= 130
#include "../double_operations.h"
#endif
