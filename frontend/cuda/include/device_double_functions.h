// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sm_13_double_functions.h"
