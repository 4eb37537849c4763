// SPDX-License-Identifier: Apache-2.0
// Kernels that do nothing, with no argument and with up to ten: what a launch costs (Ye 2009, section 3.1).
.macro empty number
.entry empty\number
{
.rept \number, i
  .param u32 p\i
.endr
    return
}
.endm
empty 0
empty 2
empty 5
empty 10
