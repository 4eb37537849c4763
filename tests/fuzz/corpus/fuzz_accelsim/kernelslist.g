MemcpyHtoD,0x00007f00,1024
kernel-1.traceg
