/* Every branch and comparison, taken and not. The program ends with the number of the check that
 * failed, or 0. */

    /* branch OP A B: fails as NUMBER unless `OP A, B` jumps. */
    .macro jumps op, a, b, number
    mvi     r4, \number
    mvi     r2, \a
    mvi     r3, \b
    \op     r2, r3, 1f
    bi      failed
1:
    .endm
    .macro stays op, a, b, number
    mvi     r4, \number
    mvi     r2, \a
    mvi     r3, \b
    \op     r2, r3, failed
    .endm
    .macro gives op, a, b, wanted, number
    mvi     r4, \number
    mvi     r2, \a
    mvi     r3, \b
    \op     r2, r2, r3
    mvi     r3, \wanted
    bne     r2, r3, failed
    .endm

    .section .text
    .global main
    .type main, @function
main:
    mv      r9, ra
    jumps   be, 5, 5, 1
    stays   be, 5, 6, 2
    jumps   bne, 5, 6, 3
    stays   bne, 5, 5, 4
    jumps   bg, 1, -1, 5
    stays   bg, -1, 1, 6
    stays   bg, 3, 3, 7
    jumps   bge, 3, 3, 8
    jumps   bge, 1, -1, 9
    stays   bge, -1, 1, 10
    jumps   bgu, -1, 1, 11
    stays   bgu, 1, -1, 12
    stays   bgu, 3, 3, 13
    jumps   bgeu, 3, 3, 14
    jumps   bgeu, -1, 1, 15
    stays   bgeu, 1, -1, 16
    gives   cmpe, 5, 5, 1, 17
    gives   cmpe, 5, 6, 0, 18
    gives   cmpne, 5, 6, 1, 19
    gives   cmpne, 5, 5, 0, 20
    gives   cmpg, 1, -1, 1, 21
    gives   cmpg, -1, 1, 0, 22
    gives   cmpge, 3, 3, 1, 23
    gives   cmpge, -1, 1, 0, 24
    gives   cmpgu, -1, 1, 1, 25
    gives   cmpgu, 1, -1, 0, 26
    gives   cmpgeu, 3, 3, 1, 27
    gives   cmpgeu, 1, -1, 0, 28
    /* A call into a register and back. */
    mvi     r4, 29
    mvhi    r2, hi(seven)
    ori     r2, r2, lo(seven)
    call    r2
    mvi     r3, 7
    bne     r1, r3, failed
    mvi     r4, 30
    calli   seven
    bne     r1, r3, failed
    /* r0 holds zero. */
    mvi     r4, 31
    mvi     r2, 0
    bne     r0, r2, failed
    mvi     r4, 0
failed:
    mv      r1, r4
    mv      ra, r9
    ret

    .type seven, @function
seven:
    mvi     r1, 7
    ret
