nop
vectout r0,r0
nop
fadd r1,r2->r3
