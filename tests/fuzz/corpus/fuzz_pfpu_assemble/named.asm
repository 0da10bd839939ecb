.input r5 1.5
.input r6 zoom
.output r9 zoom
i2f r0
i2f r1
nop
nop -> r7
fmul r7, r5 -> r8
fadd r8, r6
nop
nop
nop
nop -> r9
nop -> r10
nop
vectout r9, r10
nop
