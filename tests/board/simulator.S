/* Under the simulator a program stores its registers, for who compares memory, and ends with a system
 * call; a trap that a test does not expect ends it with 200 and the cause. */
    .section .text
    .global board_exit
    .type board_exit, @function
board_exit:
    mvhi    r7, hi(registers)
    ori     r7, r7, lo(registers)
    sw      (r7+0), r1
    sw      (r7+4), r2
    sw      (r7+8), r3
    sw      (r7+12), r4
    sw      (r7+16), r5
    sw      (r7+20), r6
    sw      (r7+24), r8
    sw      (r7+28), r9
    sw      (r7+32), r10
    sw      (r7+36), r11
    sw      (r7+40), r12
    sw      (r7+44), r13
    sw      (r7+48), r14
    sw      (r7+52), r15
    sw      (r7+56), r16
    sw      (r7+60), r17
    sw      (r7+64), r18
    sw      (r7+68), r19
    sw      (r7+72), r20
    sw      (r7+76), r21
    sw      (r7+80), r22
    sw      (r7+84), r23
    sw      (r7+88), r24
    sw      (r7+92), r25
    sw      (r7+96), gp
    sw      (r7+100), fp
    sw      (r7+104), sp
    sw      (r7+108), ra
    sw      (r7+112), ea
    sw      (r7+116), ba
    mvi     r8, 1
    scall
1:
    bi      1b

    .weak board_trap
    .type board_trap, @function
board_trap:
    lw      r1, (r1+0)
    addi    r1, r1, 200
    bi      board_exit

    .section .bss.registers, "aw", @nobits
    .p2align 2
registers:
    .space 120
