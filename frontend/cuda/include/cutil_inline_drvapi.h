// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "helper_cuda_drvapi.h"
