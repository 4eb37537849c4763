/* SPDX-License-Identifier: Apache-2.0 */
/* All of CUDA C, for the device and for the host: what every .cu file includes first. */
#pragma once

/** What tells these headers from those of a toolkit. */
#define TESLASIM_CUDA_HEADERS 1

#include "host_defines.h"
#if defined(__CUDA__)
#include "math_declarations.h"
#endif

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vector_types.h"

#include "cuda_runtime_api.h"
#include "vector_functions.h"
#if defined(__cplusplus)
#include "channel_descriptor.h"
#include "cuda_runtime_templates.h"
#endif
#if defined(__CUDA__)
#include "device_functions.h"
#include "device_launch_parameters.h"
#include "math_constants.h"
#include "math_functions.h"
#include "memory_functions.h"
#include "sm_12_atomic_functions.h"
#include "sm_13_double_functions.h"
#include "texture_fetch_functions.h"
#else
#include <math.h>
#endif
