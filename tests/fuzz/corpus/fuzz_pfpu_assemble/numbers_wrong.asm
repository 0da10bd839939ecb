; both halves of each word
.stages 1
.input r5 1.5
.input r6 %110
.output r9 %110

0: i2f r0
1: i2f r1
2: nop
3: nop -> r7
4: fmul r7, r5 -> r8
5: fadd r8, r6
11: nop
