// SPDX-License-Identifier: Apache-2.0
// Empty kernels with one parameter and with ten: what a launch costs.
.arch sm_10

.macro launch step
.entry launch_\step
{
  .param ptr out
    \step
}
.endm

.macro one
    return
.endm

.macro ten
  .param u32 p1
  .param u32 p2
  .param u32 p3
  .param u32 p4
  .param u32 p5
  .param u32 p6
  .param u32 p7
  .param u32 p8
  .param u32 p9
    return
.endm

launch one
launch ten
