// SPDX-License-Identifier: Apache-2.0
// SystemC's library wants to know where its simulation starts. Here nothing starts it but the calls of a CUDA program.
extern "C" __attribute__((visibility("default"))) int sc_main(int /*argc*/, char* /*argv*/[]) {
  return 0;
}
