# SPDX-License-Identifier: Apache-2.0
# One program from one source. `make NVCC=nvcc` builds it for a real board, where a CUDA toolkit is installed.
NVCC ?= teslasim-nvcc
NVCCFLAGS ?= -O2 -arch=sm_13

$(PROGRAM): $(PROGRAM).cu ../common/program.h
	$(NVCC) $(NVCCFLAGS) -I../common -o $@ $<

.PHONY: run clean
run: $(PROGRAM)
	./$(PROGRAM)
clean:
	rm -f $(PROGRAM)
