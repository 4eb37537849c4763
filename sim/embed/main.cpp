// SPDX-License-Identifier: Apache-2.0
// SystemC's library wants to know where its simulation starts. Here nothing starts it but the calls of a program, which
// may have a simulation, and thus an sc_main, of its own.
extern "C" __attribute__((visibility("default"), weak)) int sc_main(int /*argc*/, char* /*argv*/[]) {
  return 0;
}
