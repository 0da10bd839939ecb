fadd r1
