// SPDX-License-Identifier: Apache-2.0
// libsystemc wants an sc_main in every program that links it; readers never start a simulation.
extern "C" int sc_main(int argc, char* argv[]);
extern "C" int sc_main(int /*argc*/, char* /*argv*/[]) {
  return 0;
}
