/* SPDX-License-Identifier: Apache-2.0 */
/* Directions in which the conversions of CUDA 1 (float2int and its kin) round. */
#pragma once

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
