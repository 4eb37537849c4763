/* SPDX-License-Identifier: Apache-2.0 */
/* Types of surfaces, for declarations: these chips have no surfaces (compute capability 2.0). */
#pragma once

#include "driver_types.h"

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03

struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};
