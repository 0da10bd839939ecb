.input r5 $3fc00000
.input r6 %110
.input r7 -1e-38
.input r2 $ffffffff
.output r3 %-1
.stages 3
0: quake r5
1: fif r5, r6 -> r2
2: tsign r5, r6 -> r3
3: vectout r0, r127 -> r4
4: fabs r1, r9 -> r127
