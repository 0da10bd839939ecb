/* Under the simulator a program ends with a system call; a trap that a test does not expect ends it
 * with 200 and the cause. */
    .section .text
    .global board_exit
    .type board_exit, @function
board_exit:
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
