/* Whatever bytes come in: the lab's readers take them or refuse them with an error. The first byte
 * chooses the reader. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "app/lab/lab.h"
#include "app/lab/programs.h"
#include "pfpu/pfpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool passes_alu(struct base_span text, FILE *out, const struct base_diag_sink *sink)
{
    return app_lab_check_alu("fuzz", text, out, false, sink) == APP_EXIT_DONE;
}

static bool passes_programs(struct base_span text, FILE *out, const struct base_diag_sink *sink)
{
    return app_lab_check_programs("fuzz", text, out, true, sink) == APP_EXIT_DONE;
}

static bool passes_code(struct base_span text, FILE *out, const struct base_diag_sink *sink)
{
    (void)out;
    struct app_text_reader reader;
    uint32_t code[PFPU_MACHINE_WORDS];
    app_text_reader_begin(&reader, "fuzz", text, sink);
    reader.comments = ";#";
    const size_t count = app_lab_read_code(&reader, code);
    struct pfpu_machine machine;
    pfpu_machine_init(&machine, &pfpu_target_milkymist_one);
    pfpu_machine_load(&machine, code, count);
    (void)pfpu_machine_run(&machine, NULL);
    return count > 0;
}

static bool passes_registers(struct base_span text, FILE *out, const struct base_diag_sink *sink)
{
    (void)out;
    struct app_text_reader reader;
    struct pfpu_machine machine;
    pfpu_machine_init(&machine, &pfpu_target_milkymist_one);
    app_text_reader_begin(&reader, "fuzz", text, sink);
    reader.comments = ";#";
    return app_lab_read_registers(&reader, &machine);
}

static bool (*const readers[])(struct base_span text, FILE *out,
                               const struct base_diag_sink *sink) = {passes_alu, passes_programs,
                                                                     passes_code, passes_registers};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    struct base_diag_list messages = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    char *printed = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&printed, &length);
    if (out == NULL) {
        return 0;
    }
    const struct base_span text = {(const char *)data + 1, size - 1};
    const bool passes = readers[data[0] % (sizeof readers / sizeof readers[0])](text, out, &sink);
    (void)fclose(out);
    /* Done without a message, or failed with an error or a mismatch. */
    if ((passes && messages.count > 0) || (!passes && messages.count == 0 && length == 0)) {
        abort();
    }
    free(printed);
    return 0;
}
