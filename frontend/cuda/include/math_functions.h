// SPDX-License-Identifier: Apache-2.0
// Mathematical functions: the device's by the library beside, with C++'s overloads; the host's by its C library.
#pragma once

#include "math_declarations.h"

#include <math.h>
#include <stdlib.h>

#include <cmath>
#include <cstdlib>

#include "../math_names.h"
#if TESLASIM_CAPABILITY >= 130
#include "../double_names.h"
#endif
#include "math_classes.h"
#include "math_demoted.h"
#include "math_fast.h"
#include "math_host.h"
#include "math_overloads.h"
