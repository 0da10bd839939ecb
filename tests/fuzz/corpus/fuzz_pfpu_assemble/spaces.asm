NOP -> r0
	FADD R1 , R2->R3 ; comment
vectout r0,r0