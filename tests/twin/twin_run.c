/* Runs a program that ends by system call 1 in the twin and writes what it leaves in memory; what
 * the program writes comes out here, and on standard error how many instructions it took. twin_run
 * IMAGE MEMORY BYTES Ends with the program's code, or 255. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/file.h"
#include "base/os/print.h"
#include "base/text.h"
#include "board/twin/machine.h"

enum { BLOCK = 4096, FAILED = 255 };

static const uint64_t CYCLES_MAX = UINT64_C(100000000000);

static void write_console(void *user, uint8_t byte)
{
    (void)fputc(byte, user);
}

static uint64_t run(struct board_twin *board)
{
    board->host_calls = true;
    board->host = (struct board_twin_host){.console = write_console, .user = stdout};
    memset(board->cpu.r, 0, sizeof board->cpu.r);
    while (board->stop == BOARD_TWIN_RUNS && board->cpu.cycles < CYCLES_MAX) {
        (void)board_twin_run(board, CYCLES_MAX);
    }
    return board->cpu.instructions;
}

/* The second-level cache is written back before anything is read. Blocks of zeros become holes. */
static int write_memory(struct board_twin_memory *memory, const char *path, size_t size)
{
    static const uint8_t zeros[BLOCK];
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return -1;
    }
    for (uint32_t i = 0; i < BOARD_TWIN_L2_LINES; i++) {
        (void)board_twin_memory_flush(memory, 0, i * BOARD_TWIN_L2_BYTES);
    }
    int result = 0;
    for (size_t at = 0; at < size && result == 0; at += BLOCK) {
        const uint8_t *block = memory->sdram + at;
        if (at + BLOCK < size && memcmp(block, zeros, BLOCK) == 0) {
            result = fseek(file, BLOCK, SEEK_CUR);
        } else {
            result = fwrite(block, 1, BLOCK, file) == BLOCK ? 0 : -1;
        }
    }
    return fclose(file) == 0 ? result : -1;
}

static int run_image(const struct base_file *image, const char *path, size_t size)
{
    struct board_twin *board = board_twin_create(image->data, image->size, NULL);
    if (board == NULL) {
        return FAILED;
    }
    (void)fprintf(stderr, "%" PRIu64 "\n", run(board));
    int code = FAILED;
    if (board->stop == BOARD_TWIN_EXITED && write_memory(&board->memory, path, size) == 0) {
        code = (int)(board->exit_code & UINT8_MAX);
    }
    board_twin_free(board);
    return fflush(stdout) == 0 ? code : FAILED;
}

int main(int argc, char **argv)
{
    const size_t size = argc == 4 ? strtoull(argv[3], NULL, 0) : 0;
    if (size == 0 || size > BOARD_TWIN_SDRAM || size % BLOCK != 0) {
        (void)fputs("usage: twin_run IMAGE MEMORY BYTES\n", stderr);
        return 2;
    }
    struct base_file image;
    if (base_file_load(&image, argv[1], BOARD_TWIN_IMAGE_MAX, &base_diag_stderr) != 0) {
        return FAILED;
    }
    const int code = run_image(&image, argv[2], size);
    base_file_free(&image);
    return code;
}
