/* The board's step: with models of its hardware in place of the fast units it draws the same; and
 * the picture follows the rules of spec/milkymist-one.md section 7. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../turns.h"
#include "board/host/host.h"
#include "board/step/program.h"
#include "pfpu/machine/machine.h"
#include "presets/library/find.h"
#include "presets/presets.h"

enum {
    SCREEN = BOARD_WIDTH * BOARD_HEIGHT,
    MESH_AT = 0x40001000,
    SAMPLES = 1600,
    FPS = 30,
};

/* ---- the hardware, modelled ---- */

struct hardware {
    struct board_units units;
    struct pfpu_machine machine;
    struct board_mapper chip;
    struct board_mapper_memory memory;
    struct board_mapper_vertex *vertices; /* where the mesh goes */
    const struct board_loaded *loaded;
    uint32_t values[BOARD_OPERATIONS];
};

static void take_write(void *user, uint32_t address, uint32_t data)
{
    struct hardware *hardware = user;
    const int64_t word = ((int64_t)address - MESH_AT) / 4;
    if (hardware->vertices != NULL) {
        assert_in_range(word + 2 * BOARD_STAGES, 0, 2 * (BOARD_VERTICES + BOARD_STAGES));
        ((int32_t *)(void *)hardware->vertices)[word] = (int32_t)data;
    }
}

static void run_microcode(struct hardware *hardware, const struct board_program *program,
                          uint32_t *cells, uint32_t last)
{
    struct pfpu_machine *machine = &hardware->machine;
    const struct pfpu_machine_bus bus = {take_write, hardware};
    pfpu_machine_init(machine, &pfpu_target_milkymist_one);
    pfpu_machine_load(machine, program->words, program->word_count);
    for (size_t i = 0; i < program->load_count; i++) {
        const struct board_register *load = &program->loads[i];
        pfpu_machine_set_register(machine, load->number,
                                  load->cell == BOARD_NO_CELL ? load->word : cells[load->cell]);
    }
    machine->mesh_base = MESH_AT - 8 * (program->stages - 1);
    machine->last_column = last + program->stages - 1;
    machine->last_row = last;
    assert_true(pfpu_machine_run(machine, &bus));
    assert_int_equal(machine->collisions, 0);
    for (size_t i = 0; i < program->result_count; i++) {
        cells[program->results[i].cell] = machine->registers[program->results[i].number];
    }
}

static uint32_t hardware_cpu(void *user, uint32_t *cells, uint32_t most, bool *done)
{
    struct hardware *hardware = user;
    return board_cpu_run(hardware->loaded->cpu, cells, most, done);
}

static void hardware_frame(void *user, const struct board_patch *patch, uint32_t *cells)
{
    struct hardware *hardware = user;
    uint32_t out[2];
    hardware->vertices = NULL;
    if (patch->frame.word_count > 0) {
        run_microcode(hardware, &patch->frame, cells, 0);
    } else {
        board_run(&patch->frame, cells, hardware->values, out);
    }
}

static void hardware_vertex(void *user, const struct board_patch *patch, uint32_t *cells,
                            struct board_mapper_vertex *vertices)
{
    struct hardware *hardware = user;
    hardware->vertices = vertices;
    run_microcode(hardware, &patch->vertex, cells, BOARD_MESH);
}

static uint32_t hardware_item(void *user, const struct board_patch *patch,
                              const struct board_item_program *program, uint32_t *cells)
{
    struct hardware *hardware = user;
    uint32_t out[2];
    (void)patch;
    hardware->vertices = NULL;
    if (program->on_cpu) {
        return board_cpu_run_item(hardware->loaded->cpu, program, cells);
    }
    if (program->program.word_count > 0) {
        run_microcode(hardware, &program->program, cells, 0);
    } else {
        board_run(&program->program, cells, hardware->values, out);
    }
    return 0;
}

static void hardware_draw(void *user, const struct board_mapper_registers *registers,
                          const struct board_mapper_vertex *vertices)
{
    struct hardware *hardware = user;
    hardware->chip.registers = *registers;
    (void)board_mapper_run(&hardware->chip, &hardware->memory, vertices);
}

static struct hardware *start_hardware(const struct board_loaded *loaded)
{
    struct hardware *hardware = calloc(1, sizeof *hardware);
    assert_non_null(hardware);
    board_mapper_reset(&hardware->chip, BOARD_MAPPER_CURRENT);
    hardware->memory = (struct board_mapper_memory){
        calloc(1, BOARD_HOST_MEMORY + BOARD_MAPPER_MEMORY_GUARD), BOARD_HOST_MEMORY};
    assert_non_null(hardware->memory.bytes);
    hardware->loaded = loaded;
    hardware->units = (struct board_units){.user = hardware,
                                           .memory = hardware->memory.bytes,
                                           .run_cpu = hardware_cpu,
                                           .run_frame = hardware_frame,
                                           .run_vertex = hardware_vertex,
                                           .run_item = hardware_item,
                                           .draw = hardware_draw};
    return hardware;
}

static void stop_hardware(struct hardware *hardware)
{
    free(hardware->memory.bytes);
    free(hardware);
}

/* ---- a board of the desktop ---- */

struct bench {
    struct preset preset;
    struct board_loaded *loaded;
    struct board_host *host;
    struct board *board;
    int16_t samples[2 * SAMPLES];
    struct board_input input;
};

static void start_preset(struct bench *bench)
{
    bench->loaded = board_patch_create(NULL, &bench->preset, FPS, 0, NULL);
    bench->host = board_host_create(base_cpu_best());
    bench->board = calloc(1, sizeof *bench->board);
    assert_non_null(bench->board);
    assert_non_null(bench->host);
    bench->input = (struct board_input){.samples = bench->samples, .sample_count = SAMPLES};
    if (bench->loaded != NULL) {
        assert_int_equal(board_host_take(bench->host, bench->loaded), 0);
        board_init(bench->board, board_host_units(bench->host), FPS);
        assert_true(board_load(bench->board, &bench->loaded->patch));
    }
}

static struct bench *start(const char *text)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    assert_int_equal(preset_read(&bench->preset, "test.milk", text, strlen(text), NULL), 0);
    start_preset(bench);
    assert_non_null(bench->loaded);
    return bench;
}

static void stop(struct bench *bench)
{
    board_patch_free(bench->loaded);
    board_host_free(bench->host);
    preset_free(&bench->preset);
    free(bench->board);
    free(bench);
}

static void play(struct bench *bench, unsigned seed)
{
    uint32_t random = seed * 2654435761u + 1;
    for (size_t i = 0; i < 2 * SAMPLES; i++) {
        random = random * 1664525u + 1013904223u;
        bench->samples[i] = (int16_t)((int32_t)(random >> 16) - 32768);
    }
}

static uint16_t pixel_at(const uint8_t *bytes, int width, int x, int y)
{
    const uint8_t *pixel = bytes + 2 * (width * y + x);
    return (uint16_t)(pixel[0] << 8 | pixel[1]);
}

static uint16_t texel(const struct bench *bench, int x, int y)
{
    const uint8_t *texture =
        board_host_units(bench->host)->memory + bench->board->canvas.front * BOARD_TEXTURE_BYTES;
    return pixel_at(texture, BOARD_SIDE, x, y);
}

static uint16_t screen(const struct bench *bench, int x, int y)
{
    return pixel_at(board_host_units(bench->host)->memory + BOARD_SCREEN_AT, BOARD_WIDTH, x, y);
}

static uint32_t cell(const struct bench *bench, enum board_param param)
{
    return bench->board->cells[bench->loaded->patch.params[param]];
}

/* ---- tests ---- */

/* Their variables are not the state's. */
static bool has_items_on_cpu(const struct board_patch *patch)
{
    bool on_cpu = false;
    for (size_t i = 0; i < patch->shape_count; i++) {
        on_cpu = on_cpu || patch->shapes[i].program.on_cpu;
    }
    for (size_t i = 0; i < patch->wave_count; i++) {
        on_cpu = on_cpu || patch->waves[i].frame.on_cpu || patch->waves[i].point.on_cpu;
    }
    return on_cpu;
}

static void same_as_hardware(struct bench *bench, unsigned frames)
{
    struct hardware *hardware = start_hardware(bench->loaded);
    struct board *board = calloc(1, sizeof *board);
    assert_non_null(board);
    board_init(board, &hardware->units, FPS);
    assert_true(board_load(board, &bench->loaded->patch));
    for (unsigned i = 0; i < frames; i++) {
        play(bench, i);
        board_step(bench->board, &bench->input);
        if (bench->loaded->patch.needs_cpu || has_items_on_cpu(&bench->loaded->patch)) {
            break; /* one of the two only */
        }
        board_step(board, &bench->input);
        for (int y = 0; y <= BOARD_MESH; y++) {
            assert_memory_equal(board->mesh + y * BOARD_MAPPER_PITCH,
                                bench->board->mesh + y * BOARD_MAPPER_PITCH,
                                (BOARD_MESH + 1) * sizeof *board->mesh);
        }
        assert_memory_equal(hardware->memory.bytes + BOARD_SCREEN_AT,
                            board_host_units(bench->host)->memory + BOARD_SCREEN_AT,
                            BOARD_PICTURE_BYTES);
    }
    stop_hardware(hardware);
    free(board);
}

static void test_originals_as_on_the_hardware(void **state)
{
    (void)state;
    struct preset_list list = {0};
    unsigned fit = 0;
    assert_int_equal(preset_list_add(&list, TEST_SOURCE "/presets/originals", NULL), 0);
    for (size_t i = 0; i < list.count; i += EACH(5)) {
        struct bench *bench = calloc(1, sizeof *bench);
        assert_non_null(bench);
        assert_int_equal(preset_read_file(&bench->preset, list.paths[i], NULL), 0);
        start_preset(bench);
        if (bench->loaded != NULL) {
            fit++;
            same_as_hardware(bench, 2);
        }
        stop(bench);
    }
    assert_true(fit > 40 / EACH(5));
    preset_list_free(&list);
}

static const char busy[] =
    "[preset00]\nfDecay=0.97\nnWaveMode=5\nfWaveAlpha=3\nzoom=1.03\nrot=0.05\n"
    "ob_size=0.02\nob_r=1\nob_a=1\nnMotionVectorsX=9.5\nnMotionVectorsY=7\n"
    "mv_a=0.5\nfVideoEchoAlpha=0.4\nnVideoEchoOrientation=3\n"
    "per_frame_1=wave_x=0.5+0.2*sin(time*3); k=k+0.01; q1=k;\n"
    "per_pixel_1=dx=q1*sin(rad*20)*0.05; carried=carried*0.5+x;\n"
    "per_pixel_2=dy=carried*0.01;\n"
    "shapecode_0_enabled=1\nshapecode_0_num_inst=5\nshapecode_0_rad=0.4\nshapecode_0_sides=7\n"
    "shape_0_per_frame1=x=instance*0.2+0.1*sin(time); ang=time; k=k+0.1; r=sin(k)*0.5+0.5;\n"
    "shapecode_1_enabled=1\nshapecode_1_textured=1\nshapecode_1_rad=0.6\nshapecode_1_ang=0.3\n"
    "wavecode_0_enabled=1\nwavecode_0_samples=200\nwavecode_0_bAdditive=1\n"
    "wave_0_per_frame1=t1=q1*3;\n"
    "wave_0_per_point1=x=0.5+0.3*cos(sample*6.28+t1)+value1; y=0.5+0.3*sin(sample*6.28)+value2;\n"
    "wave_0_per_point2=r=if(above(value1,0),sample,1-sample);\n";

static void test_many_frames_as_on_the_hardware(void **state)
{
    (void)state;
    struct bench *bench = start(busy);
    same_as_hardware(bench, 12);
    stop(bench);
}

static void test_levels_of_processor_agree(void **state)
{
    (void)state;
    struct bench *bench = start(busy);
    struct board_host *plain = board_host_create(BASE_CPU_PLAIN);
    struct board *board = calloc(1, sizeof *board);
    assert_non_null(plain);
    assert_non_null(board);
    assert_int_equal(board_host_take(plain, bench->loaded), 0);
    board_init(board, board_host_units(plain), FPS);
    assert_true(board_load(board, &bench->loaded->patch));
    for (unsigned i = 0; i < 8; i++) {
        play(bench, i);
        board_step(bench->board, &bench->input);
        board_step(board, &bench->input);
    }
    assert_memory_equal(board_host_units(plain)->memory, board_host_units(bench->host)->memory,
                        BOARD_SCREEN_AT + BOARD_PICTURE_BYTES);
    free(board);
    board_host_free(plain);
    stop(bench);
}

static void assert_same_program(const struct board_program *a, const struct board_program *b)
{
    assert_int_equal(a->word_count, b->word_count);
    assert_memory_equal(a->words, b->words, a->word_count * sizeof *a->words);
    assert_int_equal(a->operation_count, b->operation_count);
    assert_int_equal(a->load_count, b->load_count);
    assert_int_equal(a->result_count, b->result_count);
}

/* What is made once for all patches changes none of them, and neither do patches before it. */
static void test_common_parts_change_nothing(void **state)
{
    (void)state;
    struct preset_list list = {0};
    struct board_common common;
    size_t compared = 0;
    assert_true(board_common_init(&common));
    assert_int_equal(preset_list_add(&list, TEST_SOURCE "/presets/originals", NULL), 0);
    for (size_t i = 0; i < list.count; i++) {
        struct preset preset;
        assert_int_equal(preset_read_file(&preset, list.paths[i], NULL), 0);
        struct board_loaded *alone = board_patch_create(NULL, &preset, FPS, 0, NULL);
        struct board_loaded *among = board_patch_create(&common, &preset, FPS, 0, NULL);
        assert_int_equal(alone != NULL, among != NULL);
        if (alone != NULL) {
            compared++;
            assert_int_equal(alone->patch.cell_count, among->patch.cell_count);
            assert_memory_equal(alone->patch.start, among->patch.start,
                                alone->patch.cell_count * sizeof *alone->patch.start);
            assert_same_program(&alone->patch.frame, &among->patch.frame);
            assert_same_program(&alone->patch.vertex, &among->patch.vertex);
        }
        board_patch_free(alone);
        board_patch_free(among);
        preset_free(&preset);
    }
    assert_true(compared > 10);
    preset_list_free(&list);
    board_common_free(&common);
    assert_null(common.scope);
}

/* Each vertex has a number of its own, and another one in the next frame. */
static void test_random_vertices(void **state)
{
    (void)state;
    struct bench *bench = start("[preset00]\nzoom=1\nwarp=0\nrot=0\n"
                                "per_pixel_1=dx=rand(1)*0.1; dy=rand(1)*0.1;\n");
    static struct board_mapper_vertex before[BOARD_VERTICES];
    board_step(bench->board, &bench->input);
    memcpy(before, bench->board->mesh, sizeof before);
    board_step(bench->board, &bench->input);
    const struct board_mapper_vertex *mesh = bench->board->mesh;
    unsigned same = 0;
    unsigned still = 0;
    int64_t sum = 0;
    for (int y = 0; y <= BOARD_MESH; y++) {
        for (int x = 0; x <= BOARD_MESH; x++) {
            const int i = y * BOARD_MAPPER_PITCH + x;
            const int32_t shift[2] = {x * 1024 - mesh[i].x, y * 1024 - mesh[i].y};
            assert_in_range(shift[0] + 2, 0, 3279);
            same += shift[0] == shift[1];
            still += mesh[i].x == before[i].x;
            sum += shift[0];
        }
    }
    assert_true(same < 5 && still < 5);
    assert_in_range(sum / (33 * 33), 1500, 1777);
    stop(bench);
}

/* The coprocessor cannot do them: a preset of MilkDrop's goes on without, one of the board's own
 * language and one with an error do not. */
static void test_vertices_that_do_not_fit(void **state)
{
    (void)state;
    struct bench *bench = start("[preset00]\nzoom=1\nwarp=0\nrot=0\n"
                                "per_pixel_1=dx=0.1+megabuf(x);\n");
    board_step(bench->board, &bench->input);
    assert_in_range(bench->board->mesh[5].x, 5 * 1024 - 1, 5 * 1024 + 1);
    bench->preset.language = PRESET_LANGUAGE_BOARD;
    assert_null(board_patch_create(NULL, &bench->preset, FPS, 0, NULL));
    stop(bench);
    static const char wrong[] = "[preset00]\nper_pixel_1=dx=0.1+;\n";
    struct preset preset;
    assert_int_equal(preset_read(&preset, "wrong.milk", wrong, sizeof wrong - 1, NULL), 0);
    assert_null(board_patch_create(NULL, &preset, FPS, 0, NULL));
    preset_free(&preset);
}

/* What does not fit into a frame's time waits for its turn, and is counted. */
static void test_what_is_too_heavy_takes_turns(void **state)
{
    (void)state;
    struct bench *bench =
        start("[preset00]\nwarp=0\nnWaveMode=6\nfWaveAlpha=0\nfDecay=0\nob_size=0.3\nob_r=1\n"
              "ob_a=0.5\nib_size=0.3\nib_r=1\nib_a=0.5\nmv_x=64\nmv_y=64\nmv_l=9\nmv_a=0.5\n"
              "fVideoEchoAlpha=0.5\n"
              "per_frame_1=loop(9000,n=n+1); m=m+1; zoom=if(above(frame,2),0.1,1); q1=n;\n"
              "per_pixel_1=dx=sin(y*9);\n");
    const struct board *board = bench->board;
    board_step(bench->board, &bench->input);
    assert_true(board->cuts.overlay > 1 && !board->cuts.echo);
    unsigned lit = 0;
    for (int y = 0; y < 20; y++) {
        lit += texel(bench, 100, y) != 0;
    }
    assert_in_range(lit, 1, 20 / board->cuts.overlay + 1);
    /* The loop pauses with each frame; what it leaves is there when it is done. */
    while (board->parts > 0) {
        assert_true(board->items.frame_cycles < 80 * 1000 * 1000 / FPS / 2);
        board_step(bench->board, &bench->input);
    }
    const uint32_t turns = board->cuts.frames;
    assert_true(turns > 2 && board->clock.frame <= turns);
    for (uint32_t i = 0; i < 3 * turns; i++) {
        board_step(bench->board, &bench->input);
        assert_in_range(board->parts + board->hold, 0, turns);
    }
    assert_true(board->cuts.echo); /* so much zoomed out, the texture mapper has no time for it */
    stop(bench);
    bench = start("[preset00]\nob_size=0.01\nob_a=1\nmv_x=12\nmv_y=9\nmv_a=1\n"
                  "fVideoEchoAlpha=0.5\nper_frame_1=q1=megabuf(1);\n");
    board_step(bench->board, &bench->input);
    assert_true(bench->board->cuts.frames == 1 && bench->board->cuts.overlay == 1 &&
                !bench->board->cuts.echo);
    stop(bench);
}

static void test_patches_without_the_cpu_are_refused(void **state)
{
    (void)state;
    struct bench *bench = start("[preset00]\nper_frame_1=rot=0.01*megabuf(10);\n");
    struct board_units units = *board_host_units(bench->host);
    assert_true(bench->loaded->patch.needs_cpu);
    units.run_cpu = NULL;
    board_init(bench->board, &units, FPS);
    assert_false(board_load(bench->board, &bench->loaded->patch));
    assert_null(bench->board->patch);
    board_step(bench->board, &bench->input);
    stop(bench);
}

static void test_cpu_equations(void **state)
{
    (void)state;
    struct bench *bench = start("[preset00]\nwarp=0\nper_frame_init_1=megabuf(3)=0.25;\n"
                                "per_frame_1=n=n+1; wave_r=megabuf(3)+n; q2=megabuf(3);\n"
                                "per_pixel_1=dx=q2;\n");
    board_step(bench->board, &bench->input);
    board_step(bench->board, &bench->input);
    assert_int_equal(cell(bench, BOARD_wave_r), pfpu_word_of_number(2.25));
    assert_int_equal(bench->board->mesh[16 * BOARD_MAPPER_PITCH + 16].x, 16384 - 8192);
    stop(bench);
}

static void test_variables_and_inputs(void **state)
{
    (void)state;
    struct bench *bench =
        start("[preset00]\nper_frame_init_1=a=3; q5=2; wave_g=9;\n"
              "per_frame_1=a=a+1; q5=q5+1; wave_r=a; wave_g=q5; wave_b=time*30; wave_a=frame;\n"
              "per_frame_2=ob_r=osc2; ob_g=idmx8; dmx1=0.5; dmx8=7; ob_b=fps; ib_r=meshx;\n");
    bench->input.controls[9] = pfpu_word_of_number(0.75);
    bench->input.controls[7] = pfpu_word_of_number(0.125);
    for (int i = 0; i < 3; i++) {
        board_step(bench->board, &bench->input);
    }
    assert_int_equal(cell(bench, BOARD_wave_r), pfpu_word_of_number(6));
    assert_int_equal(cell(bench, BOARD_wave_g), pfpu_word_of_number(3));
    assert_in_range(cell(bench, BOARD_wave_b), pfpu_word_of_number(2.9999), pfpu_word_of_number(3));
    assert_int_equal(cell(bench, BOARD_wave_a), pfpu_word_of_number(3));
    assert_int_equal(cell(bench, BOARD_ob_r), pfpu_word_of_number(0.75));
    assert_int_equal(cell(bench, BOARD_ob_g), pfpu_word_of_number(0.125));
    assert_int_equal(cell(bench, BOARD_ob_b), pfpu_word_of_number(FPS));
    assert_int_equal(cell(bench, BOARD_ib_r), pfpu_word_of_number(32));
    assert_int_equal(bench->board->canvas.dmx[0], 127);
    assert_int_equal(bench->board->canvas.dmx[7], 255);
    stop(bench);
}

static void test_settings_stand_in_for_resets(void **state)
{
    (void)state;
    struct bench *bench = start("[preset00]\nob_r=0.5\nper_frame_1=ob_r=ob_r+0.25;\n");
    const struct board_value setting = {bench->loaded->patch.params[BOARD_ob_r],
                                        pfpu_word_of_number(0.125)};
    board_step(bench->board, &bench->input);
    assert_int_equal(cell(bench, BOARD_ob_r), pfpu_word_of_number(0.75));
    bench->input.settings = &setting;
    bench->input.setting_count = 1;
    board_step(bench->board, &bench->input);
    assert_int_equal(cell(bench, BOARD_ob_r), pfpu_word_of_number(0.375));
    bench->input.setting_count = 0;
    board_step(bench->board, &bench->input);
    assert_int_equal(cell(bench, BOARD_ob_r), pfpu_word_of_number(0.75));
    stop(bench);
}

#define STILL "[preset00]\nwarp=0\nfWaveAlpha=0\nfDecay=1\nbTexWrap=0\n"

static void test_borders(void **state)
{
    (void)state;
    struct bench *bench = start(STILL "ob_size=0.03125\nob_r=1\nob_g=0\nob_b=0\nob_a=1\n"
                                      "ib_size=0.5\nib_r=0\nib_g=1\nib_b=0\nib_a=0.4\n");
    /* Where a frame has no time for all rows, they have their turns in the next ones. */
    do {
        board_step(bench->board, &bench->input);
    } while (bench->board->clock.frame < bench->board->items.overlay_turns);
    assert_int_equal(texel(bench, 0, 0), 0xf800);
    assert_int_equal(texel(bench, 7, 100), 0xf800);
    assert_int_equal(texel(bench, 504, 100), 0xf800);
    assert_int_equal(texel(bench, 100, 504), 0xf800);
    /* 30 pixels at most; int(80 * 0.4) = 31 or 32 of 64 */
    assert_in_range(texel(bench, 8, 100) >> 5, 30, 32);
    assert_int_equal(texel(bench, 37, 100), texel(bench, 8, 100));
    assert_int_equal(texel(bench, 38, 100), 0);
    assert_int_equal(texel(bench, 474, 474), texel(bench, 8, 100));
    assert_int_equal(texel(bench, 473, 473), 0);
    assert_int_equal(screen(bench, 0, 0), 0xf800);
    assert_int_equal(screen(bench, 320, 240), 0);
    stop(bench);
}

/* What the brightness cuts off is not lost. */
static void test_decay_is_dithered(void **state)
{
    (void)state;
    struct bench *bench = start("[preset00]\nfDecay=0.5\n");
    unsigned sum = 0;
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t before = bench->board->canvas.dither;
        board_step(bench->board, &bench->input);
        sum += (before + (1u << 23)) >> 18;
    }
    assert_int_equal(sum, 32 * 64);
    stop(bench);
    bench = start("[preset00]\nfDecay=0.98\n");
    uint64_t steps = 0;
    for (unsigned i = 0; i < 100; i++) {
        const uint64_t before = bench->board->canvas.dither;
        board_step(bench->board, &bench->input);
        const uint64_t given = before + 16441672 - bench->board->canvas.dither;
        assert_int_equal(given & ((1u << 18) - 1), 0);
        assert_in_range(given >> 18, 62, 63);
        steps += given >> 18;
    }
    assert_in_range(steps, 6271, 6272); /* 62.72 each */
    stop(bench);
}

static void test_picture_moves_as_the_mesh_says(void **state)
{
    (void)state;
    struct bench *bench = start(STILL "dx=0.25\nper_frame_1=ob_a=below(frame,1.5); ob_size=0.03125;"
                                      "ob_r=1; ob_g=1; ob_b=1;\n");
    board_step(bench->board, &bench->input);
    assert_int_equal(texel(bench, 3, 256), 0xffff);
    board_step(bench->board, &bench->input);
    assert_int_equal(texel(bench, 131, 256), 0xffff);
    assert_int_equal(texel(bench, 140, 256), 0);
    stop(bench);
}

static void test_echo(void **state)
{
    (void)state;
    /* The left half of the texture is white; the echo shows it mirrored at a quarter of its
     * strength. */
    struct bench *bench = start(STILL "fVideoEchoAlpha=0.25\nfVideoEchoZoom=1\n"
                                      "nVideoEchoOrientation=1\n");
    uint8_t *memory = board_host_units(bench->host)->memory;
    for (int y = 0; y < BOARD_SIDE; y++) {
        memset(memory + 2 * BOARD_SIDE * y, 0xff, BOARD_SIDE);
    }
    board_step(bench->board, &bench->input);
    assert_int_equal(screen(bench, 100, 240) >> 11, 23);
    assert_int_equal(screen(bench, 540, 240) >> 11, 8);
    stop(bench);
}

/* All parts of each pixel on the screen. */
static void test_a_dimmed_screen(void **state)
{
    (void)state;
    static const uint32_t dims[] = {0, 1, 16, 32, 63, 64, 1000};
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        struct bench *bench = start(STILL "fVideoEchoAlpha=0\n");
        uint8_t *memory = board_host_units(bench->host)->memory;
        unsigned compared = 0;
        for (int k = 0; k < 2 * BOARD_SIDE * BOARD_SIDE; k++) {
            memory[k] = (uint8_t)(7 + (k >> 15) * 37); /* bands of 32 rows */
        }
        bench->input.dim = dims[i];
        board_step(bench->board, &bench->input);
        const unsigned part = dims[i] < 63 ? 64 - dims[i] : 1;
        for (int y = 15; y < 480; y += 30, compared++) {
            const unsigned pixel = screen(bench, 320, y);
            const unsigned plain = texel(bench, 256, y * BOARD_SIDE / BOARD_HEIGHT);
            assert_int_equal(pixel >> 11, (plain >> 11) * part / 64);
            assert_int_equal(pixel >> 5 & 63, (plain >> 5 & 63) * part / 64);
            assert_int_equal(pixel & 31, (plain & 31) * part / 64);
            compared += plain != 0;
        }
        assert_true(compared > 24);
        stop(bench);
    }
}

static void test_images_and_video(void **state)
{
    (void)state;
    struct bench *bench =
        start(STILL "per_frame_1=image1_a=1; image1_x=0.25; image1_y=0.75; image1_zoom=2;"
                    "image1_index=4; video_a=0.5;\n");
    uint8_t *memory = board_host_units(bench->host)->memory;
    memset(memory + BOARD_FREE_AT, 0xff, 2 * 32 * 32);
    bench->loaded->patch.images[4] = (struct board_picture){BOARD_FREE_AT, 32, 24};
    board_step(bench->board, &bench->input);
    assert_int_equal(texel(bench, 128, 384), 0xffff);
    assert_int_equal(texel(bench, 97, 384), 0xffff);
    assert_int_equal(texel(bench, 95, 384), 0);
    assert_int_equal(texel(bench, 160, 384), 0);
    assert_int_equal(texel(bench, 128, 353), 0xffff);
    assert_int_equal(texel(bench, 128, 351), 0);
    bench->loaded->patch.images[4].width = 0;
    bench->input.video = (struct board_picture){BOARD_FREE_AT, 32, 24};
    board_step(bench->board, &bench->input);
    assert_in_range(texel(bench, 400, 100) >> 11, 15, 16);
    stop(bench);
}

/* Black on the left, white on the right. */
static struct board_picture two_halves(uint8_t *memory)
{
    enum { WIDTH = 32, HEIGHT = 4 };
    for (int i = 0; i < 2 * WIDTH * HEIGHT; i++) {
        memory[BOARD_FREE_AT + i] = i / 2 % WIDTH < WIDTH / 2 ? 0 : 0xff;
    }
    return (struct board_picture){BOARD_FREE_AT, WIDTH, HEIGHT};
}

static void test_a_picture_passes_by_for_live_video(void **state)
{
    (void)state;
    struct bench *bench = start(STILL "per_frame_1=decay=0; video_a=1; image1_a=1; "
                                      "image1_index=32;\n");
    uint8_t *memory = board_host_units(bench->host)->memory;
    bench->loaded->patch.images[BOARD_VIDEO] = two_halves(memory);
    for (int frame = 1; frame <= BOARD_SIDE / 2; frame++) {
        board_step(bench->board, &bench->input);
        /* Half of it is white, and that goes to the left. */
        const int edge = BOARD_SIDE / 2 - 2 * frame;
        for (int x = 12; x < BOARD_SIDE; x += 25) {
            const int in_picture = (x - edge + 2 * BOARD_SIDE) % BOARD_SIDE;
            const int from_edge = in_picture % (BOARD_SIDE / 2);
            if (from_edge > 16 && from_edge < BOARD_SIDE / 2 - 16) {
                assert_int_equal(texel(bench, x, 99), in_picture < BOARD_SIDE / 2 ? 0xffff : 0);
            }
        }
    }
    /* What comes in live counts more, and stands still. */
    bench->input.video = bench->loaded->patch.images[BOARD_VIDEO];
    bench->loaded->patch.images[BOARD_VIDEO].width = 0;
    for (int frame = 0; frame < 90; frame++) {
        board_step(bench->board, &bench->input);
        assert_int_equal(texel(bench, 100, 99), 0);
        assert_int_equal(texel(bench, 400, 99), 0xffff);
    }
    stop(bench);
}

static void test_motion_vectors(void **state)
{
    (void)state;
    struct bench *bench = start(STILL "nMotionVectorsX=2\nnMotionVectorsY=4\nmv_l=3\nmv_a=1\n"
                                      "mv_r=1\nmv_g=0\nmv_b=0\n");
    board_step(bench->board, &bench->input);
    unsigned red = 0;
    for (int y = 0; y < BOARD_SIDE; y++) {
        for (int x = 0; x < BOARD_SIDE; x++) {
            red += texel(bench, x, y) == 0xf800;
        }
    }
    assert_int_equal(red, 2 * 4 * 9);
    assert_int_equal(texel(bench, 128, 64), 0xf800);
    assert_int_equal(texel(bench, 384, 448), 0xf800);
    stop(bench);
}

static void test_waves(void **state)
{
    (void)state;
    for (int mode = 0; mode < 9; mode++) {
        char text[200];
        (void)snprintf(text, sizeof text,
                       "[preset00]\nwarp=0\nfDecay=0\nnWaveMode=%d\nfWaveAlpha=20\nwave_r=1\n"
                       "wave_g=0\nwave_b=0\nwave_x=0.5\nwave_y=0.5\nfWaveScale=0\nob_size=0\n",
                       mode);
        struct bench *bench = start(text);
        bench->board->sound.level[2] = 0;
        play(bench, 1);
        board_step(bench->board, &bench->input);
        unsigned lit = 0;
        for (int x = 0; x < BOARD_SIDE; x++) {
            lit += texel(bench, x, 256) != 0;
        }
        const bool a_line = mode == 4 || mode == 6;
        const bool round = mode % 8 == 0;
        assert_in_range(lit, a_line ? 481 : round ? 2 : 0, a_line ? 512 : round ? 8 : 1);
        stop(bench);
    }
}

static void test_words(void **state)
{
    (void)state;
    assert_int_equal(board_fixed(pfpu_word_of_number(1.5), 16), 98304);
    assert_int_equal(board_fixed(pfpu_word_of_number(-1.5), 16), -98304);
    assert_int_equal(board_fixed(pfpu_word_of_number(1e30), 16), INT32_MAX);
    assert_int_equal(board_fixed(pfpu_word_of_number(-1e30), 24), -INT32_MAX);
    assert_int_equal(board_fixed(pfpu_word_of_number(1e-30), 16), 0);
    assert_int_equal(board_fixed(pfpu_word_of_number(32767.5), 16), 2147450880);
    assert_int_equal(board_fixed(0xffffffffu, 24), -INT32_MAX);
    for (int bits = 0; bits <= 24; bits += 4) {
        for (int64_t value = -70000; value < 70000; value += 77) {
            const uint32_t word = board_word(value, (unsigned)bits);
            assert_int_equal(word, pfpu_word_of_number((double)value / (1 << bits)));
            assert_int_equal(board_fixed(word, (unsigned)bits), value);
        }
    }
    assert_int_equal(board_word(INT64_MIN, 0), 0xdf000000u);
    assert_int_equal(board_sine(2048), BOARD_ONE);
    assert_int_equal(board_cosine(4096), -BOARD_ONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_many_frames_as_on_the_hardware),
        cmocka_unit_test(test_originals_as_on_the_hardware),
        cmocka_unit_test(test_levels_of_processor_agree),
        cmocka_unit_test(test_common_parts_change_nothing),
        cmocka_unit_test(test_random_vertices),
        cmocka_unit_test(test_vertices_that_do_not_fit),
        cmocka_unit_test(test_what_is_too_heavy_takes_turns),
        cmocka_unit_test(test_patches_without_the_cpu_are_refused),
        cmocka_unit_test(test_cpu_equations),
        cmocka_unit_test(test_variables_and_inputs),
        cmocka_unit_test(test_settings_stand_in_for_resets),
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_decay_is_dithered),
        cmocka_unit_test(test_picture_moves_as_the_mesh_says),
        cmocka_unit_test(test_echo),
        cmocka_unit_test(test_a_dimmed_screen),
        cmocka_unit_test(test_images_and_video),
        cmocka_unit_test(test_a_picture_passes_by_for_live_video),
        cmocka_unit_test(test_motion_vectors),
        cmocka_unit_test(test_waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
