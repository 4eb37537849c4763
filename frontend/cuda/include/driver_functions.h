// SPDX-License-Identifier: Apache-2.0
// make_cudaPitchedPtr and its kin, which a toolkit has here.
#pragma once

#include "cuda_runtime.h"
