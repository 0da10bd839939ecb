/* Stacks: who runs on which. What a function may not change lies on the stack of who does not run. */

#define SAVED 72

    .section .text.board_switch, "ax", @progbits
    .global board_switch
    .type board_switch, @function
board_switch:
    addi    sp, sp, -SAVED
    sw      (sp+4), r11
    sw      (sp+8), r12
    sw      (sp+12), r13
    sw      (sp+16), r14
    sw      (sp+20), r15
    sw      (sp+24), r16
    sw      (sp+28), r17
    sw      (sp+32), r18
    sw      (sp+36), r19
    sw      (sp+40), r20
    sw      (sp+44), r21
    sw      (sp+48), r22
    sw      (sp+52), r23
    sw      (sp+56), r24
    sw      (sp+60), r25
    sw      (sp+64), fp
    sw      (sp+68), ra
    sw      (r1+0), sp
    mv      sp, r2
    lw      r11, (sp+4)
    lw      r12, (sp+8)
    lw      r13, (sp+12)
    lw      r14, (sp+16)
    lw      r15, (sp+20)
    lw      r16, (sp+24)
    lw      r17, (sp+28)
    lw      r18, (sp+32)
    lw      r19, (sp+36)
    lw      r20, (sp+40)
    lw      r21, (sp+44)
    lw      r22, (sp+48)
    lw      r23, (sp+52)
    lw      r24, (sp+56)
    lw      r25, (sp+60)
    lw      fp, (sp+64)
    lw      ra, (sp+68)
    addi    sp, sp, SAVED
    ret

/* Where a fresh stack begins: r11 the function, r12 its argument. */
    .section .text.board_switch_begin, "ax", @progbits
    .global board_switch_begin
    .type board_switch_begin, @function
board_switch_begin:
    mv      r1, r12
    call    r11
    calli   board_exit
