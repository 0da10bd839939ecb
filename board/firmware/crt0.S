/* Exception table, start-up and traps. The table is the start of the image: the boot loader enters its
 * first slot, and the processor's EBA points to it later.
 *
 * A trap saves all registers in a struct board_frame (trap.h) on the stack and calls
 *     void board_trap(struct board_frame *frame, void *context)
 * with what board_set_trap_context was given. When that returns, the program goes on. */

#define FRAME_SIZE 132
#define FRAME_CAUSE 0
#define FRAME_EA 120

    .macro slot cause
    .p2align 5
    addi    sp, sp, -FRAME_SIZE
    sw      (sp+4), r1
    mvi     r1, \cause
    bi      trap
    .endm

    .section .start, "ax", @progbits
    .global _start
_start:
    xor     r0, r0, r0
    wcsr    IE, r0
    mvhi    r5, hi(_start)
    ori     r5, r5, lo(_start)
    wcsr    EBA, r5
    bi      begin
    slot    1
    slot    2
    slot    3
    slot    4
    slot    5
    slot    6
    slot    7
    .p2align 5

begin:
    wcsr    IM, r0
    mvhi    sp, hi(_fstack)
    ori     sp, sp, lo(_fstack)
    mvhi    gp, hi(_gp)
    ori     gp, gp, lo(_gp)
    wcsr    ICC, r0
    nop
    nop
    nop
    nop
    wcsr    DCC, r0
    nop
    mvhi    r5, hi(_bss_begin)
    ori     r5, r5, lo(_bss_begin)
    mvhi    r6, hi(_bss_end)
    ori     r6, r6, lo(_bss_end)
    bi      2f
1:
    sw      (r5+0), r0
    addi    r5, r5, 4
2:
    bgu     r6, r5, 1b
    /* r1..r4 are what the boot loader hands over. */
    calli   main
    calli   board_exit
3:
    bi      3b

/* r1: cause; r1 of the program is saved. The stack pointer is the program's less the frame. */
trap:
    sw      (sp+FRAME_CAUSE), r1
    sw      (sp+8), r2
    sw      (sp+12), r3
    sw      (sp+16), r4
    sw      (sp+20), r5
    sw      (sp+24), r6
    sw      (sp+28), r7
    sw      (sp+32), r8
    sw      (sp+36), r9
    sw      (sp+40), r10
    sw      (sp+44), r11
    sw      (sp+48), r12
    sw      (sp+52), r13
    sw      (sp+56), r14
    sw      (sp+60), r15
    sw      (sp+64), r16
    sw      (sp+68), r17
    sw      (sp+72), r18
    sw      (sp+76), r19
    sw      (sp+80), r20
    sw      (sp+84), r21
    sw      (sp+88), r22
    sw      (sp+92), r23
    sw      (sp+96), r24
    sw      (sp+100), r25
    sw      (sp+104), gp
    sw      (sp+108), fp
    addi    r1, sp, FRAME_SIZE
    sw      (sp+112), r1
    sw      (sp+116), ra
    sw      (sp+FRAME_EA), ea
    sw      (sp+124), ba
    mvhi    gp, hi(_gp)
    ori     gp, gp, lo(_gp)
    mv      r1, sp
    mvhi    r2, hi(trap_context)
    ori     r2, r2, lo(trap_context)
    lw      r2, (r2+0)
    addi    sp, sp, -4
    calli   board_trap
    addi    sp, sp, 4
    lw      r1, (sp+4)
    lw      r2, (sp+8)
    lw      r3, (sp+12)
    lw      r4, (sp+16)
    lw      r5, (sp+20)
    lw      r6, (sp+24)
    lw      r7, (sp+28)
    lw      r8, (sp+32)
    lw      r9, (sp+36)
    lw      r10, (sp+40)
    lw      r11, (sp+44)
    lw      r12, (sp+48)
    lw      r13, (sp+52)
    lw      r14, (sp+56)
    lw      r15, (sp+60)
    lw      r16, (sp+64)
    lw      r17, (sp+68)
    lw      r18, (sp+72)
    lw      r19, (sp+76)
    lw      r20, (sp+80)
    lw      r21, (sp+84)
    lw      r22, (sp+88)
    lw      r23, (sp+92)
    lw      r24, (sp+96)
    lw      r25, (sp+100)
    lw      gp, (sp+104)
    lw      fp, (sp+108)
    lw      ra, (sp+116)
    lw      ea, (sp+FRAME_EA)
    lw      ba, (sp+124)
    lw      sp, (sp+112)
    eret

    .section .text.board_set_trap_context, "ax", @progbits
    .global board_set_trap_context
    .type board_set_trap_context, @function
board_set_trap_context:
    mvhi    r2, hi(trap_context)
    ori     r2, r2, lo(trap_context)
    sw      (r2+0), r1
    ret

    .section .bss.trap_context, "aw", @nobits
    .p2align 2
trap_context:
    .space 4
