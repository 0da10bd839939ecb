/* Transitions on the first device there is, which may be one of software, beside the processor: the
 * program beside the plain kernel; shows whose presets give way in all ways, whose pictures stay on
 * the device and are fetched or not, or are mixed there; and a device that is lost before any of
 * its runs. */
#include "room.h"

#include "base/random.h"
#include "gpu/cross.h"
#include "renderer/picture/transition.h"
#include "renderer/show.h"

/* ---- the program ---- */

static void fill(struct base_rng *rng, uint32_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t any = base_rng_next(rng);
        pixels[i] = (any >> 24 & 1 ? any : any >> 25 & 1 ? UINT32_MAX : 0) & 0xFFFFFF;
    }
}

static void cross_once(struct gpu_device *device, struct base_rng *rng, const int size[2],
                       enum rend_transition transition)
{
    const size_t pitch = ((size_t)size[0] + 63) / 64 * 64;
    const size_t count = pitch * (size_t)size[1];
    const size_t bytes = count * sizeof(uint32_t);
    const struct gpu_cross_size cross_size = {size[0], size[1], pitch};
    uint16_t *when = malloc(rend_way_size(transition, size[0], size[1]) + 1);
    uint32_t *expected = malloc(bytes);
    struct gpu_memory *leaving = gpu_memory_create(device, bytes);
    struct gpu_memory *results = gpu_memory_create(device, bytes);
    assert_true(when != NULL && expected != NULL && leaving != NULL && results != NULL);
    const struct rend_way way =
        rend_way_make(transition, size[0], size[1], base_rng_next(rng), when);
    struct gpu_cross *cross = gpu_cross_create(device, results, &cross_size, way.when);
    assert_non_null(cross);
    for (int i = 0; i <= 8; i++) {
        const struct rend_weights weights = rend_way_weights(&way, i / 8.0);
        const struct rend_device_crossing crossing = {weights.offset, weights.limit, weights.scale,
                                                      false};
        uint32_t *leaves = gpu_memory_words(leaving);
        uint32_t *comes = gpu_memory_words(results);
        fill(rng, leaves, count);
        fill(rng, comes, count);
        for (size_t y = 0; y < (size_t)size[1]; y++) {
            rend_cross_plain(expected + y * pitch, leaves + y * pitch, comes + y * pitch,
                             way.when != NULL ? way.when + y * (size_t)size[0] : NULL,
                             (size_t)size[0], &weights);
        }
        struct gpu_order order;
        struct gpu_kernel *kernel = gpu_cross_prepare(cross, leaving, &crossing, &order);
        assert_non_null(kernel);
        order.sent[order.sent_count++] = gpu_whole(leaving, bytes);
        order.sent[order.sent_count++] = gpu_whole(results, bytes);
        order.fetched = gpu_whole(results, bytes);
        assert_true(gpu_kernel_run(kernel, &order));
        for (size_t y = 0; y < (size_t)size[1]; y++) {
            assert_memory_equal(expected + y * pitch, comes + y * pitch,
                                (size_t)size[0] * sizeof *comes);
        }
    }
    gpu_cross_free(cross);
    gpu_memory_free(results);
    gpu_memory_free(leaving);
    free(expected);
    free(when);
}

static void test_program(void **state)
{
    static const int sizes[][2] = {{16, 16}, {63, 17}, {64, 32}, {65, 33}, {301, 173}, {500, 31}};
    struct room *room = *state;
    struct gpu_about about[GPU_DEVICES_MAX];
    if (room->gpu == NULL) {
        skip();
    }
    struct gpu_device *device = gpu_open((gpu_list(about), about[0].key));
    struct base_rng rng;
    assert_non_null(device);
    base_rng_seed(&rng, 11, 1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int transition = 0; transition < REND_TRANSITIONS; transition += one_in()) {
            cross_once(device, &rng, sizes[i], (enum rend_transition)transition);
        }
    }
    gpu_close(device);
}

/* ---- shows ---- */

enum { WIDTH = 90, HEIGHT = 54, CUES = 4, EACH = 4, STEPS = CUES * EACH };

static const char stirred[] = "ret = tex2D(sampler_main, uv + 0.01).xyz * 0.9 + "
                              "tex2D(sampler_noise_lq, uv * 3 + time).xyz * 0.2;";
static const char shining[] =
    "ret = tex2D(sampler_main, uv).xyz + 0.3 * GetBlur1(uv) * hue_shader;";

/* Presets of a show, one after the other. */
struct order {
    struct rend_patch *patch[CUES];
    enum rend_transition transition[CUES];
    int cues;
    double seconds; /* of a transition */
    int64_t cost;
};

struct party {
    struct rend_config config;
    struct rend_show *show;
    uint32_t pixels[WIDTH * HEIGHT];
};

static void open_party(struct party *party, const struct order *order,
                       const struct rend_device *device)
{
    party->config = (struct rend_config){.width = WIDTH,
                                         .height = HEIGHT,
                                         .mesh_x = 16,
                                         .mesh_y = 12,
                                         .fps = 30,
                                         .device = device,
                                         .cost = order->cost};
    party->show = rend_show_create(&party->config);
    assert_non_null(party->show);
}

static void retire(struct party *party)
{
    struct rend_cue *cue;
    while ((cue = rend_show_retired(party->show)) != NULL) {
        rend_cue_free(cue);
    }
}

static void close_party(struct party *party)
{
    rend_show_end(party->show);
    retire(party);
    rend_show_free(party->show);
}

static void give(struct party *party, const struct order *order, int cue)
{
    const struct rend_change change = {
        .transition = order->transition[cue], .seconds = order->seconds, .seed = 7 + (uint64_t)cue};
    const struct rend_moment moment = rend_show_moment(party->show);
    struct rend_cue *made =
        rend_cue_create(&party->config, order->patch[cue], &change, &moment, NULL);
    assert_non_null(made);
    rend_show_take(party->show, made);
    retire(party);
}

/* Whether the picture stays where it is drawn. */
static bool make_step(struct party *party, unsigned frame, bool may_stay)
{
    float sound[2 * 735];
    for (unsigned i = 0; i < 2 * 735; i++) {
        sound[i] = (float)((frame * 735 + i) * 7919 % 2003) / 1001.5f - 1.0f;
    }
    const struct rend_input input = {.frame = frame,
                                     .time = frame / 30.0,
                                     .fps = 30,
                                     .audio = sound,
                                     .audio_frames = 735,
                                     .may_stay = may_stay};
    memset(party->pixels, 0x5A, sizeof party->pixels);
    (void)rend_show_step(party->show, &input, party->pixels, WIDTH);
    retire(party);
    return rend_show_stays(party->show);
}

enum wish { WANTED, LATER, SELDOM, WISHES };

/* How many pictures stayed. */
static unsigned play(struct room *room, const struct order *order, enum wish wish)
{
    struct party ours;
    struct party theirs;
    unsigned stayed = 0;
    room->lost = false;
    open_party(&ours, order, NULL);
    open_party(&theirs, order, &room->device);
    for (unsigned frame = 1; frame <= (unsigned)(order->cues * EACH); frame++) {
        if (frame % EACH == 1) {
            give(&ours, order, (int)(frame / EACH));
            give(&theirs, order, (int)(frame / EACH));
        }
        (void)make_step(&ours, frame, false);
        if (make_step(&theirs, frame, wish != WANTED)) {
            stayed++;
            if (wish == SELDOM && frame % 3 != 0) {
                continue;
            }
            rend_show_fetch(theirs.show, theirs.pixels, WIDTH);
            assert_memory_equal(ours.pixels, theirs.pixels, sizeof ours.pixels);
            memset(theirs.pixels, 0, sizeof theirs.pixels);
            rend_show_fetch(theirs.show, theirs.pixels, WIDTH);
        }
        assert_memory_equal(ours.pixels, theirs.pixels, sizeof ours.pixels);
    }
    close_party(&theirs);
    close_party(&ours);
    return stayed;
}

/* With shaders for both stages, for one, and for none. */
static void open_order(struct order *order)
{
    static const char *const warps[CUES] = {stirred, NULL, stirred, NULL};
    static const char *const comps[CUES] = {shining, shining, NULL, NULL};
    *order = (struct order){.cues = CUES, .seconds = (EACH - 1) / 30.0};
    for (int i = 0; i < CUES; i++) {
        order->patch[i] =
            patch_of("fDecay=0.97\nzoom=1.05\nfWaveAlpha=1\nnWaveMode=2\nfVideoEchoAlpha=0.4\n"
                     "shapecode_0_enabled=1\nshapecode_0_rad=0.3",
                     warps[i], comps[i]);
    }
}

static void close_order(struct order *order)
{
    for (int i = 0; i < CUES; i++) {
        rend_patch_free(order->patch[i]);
    }
}

static void test_all_ways(void **state)
{
    struct room *room = *state;
    struct order order;
    if (room->gpu == NULL) {
        skip();
    }
    open_order(&order);
    for (int i = 0; i < REND_TRANSITIONS; i += CUES * one_in()) {
        for (int k = 0; k < CUES; k++) {
            order.transition[k] = (enum rend_transition)((i + k) % REND_TRANSITIONS);
        }
        assert_int_equal(play(room, &order, WANTED), 0);
        assert_int_equal(play(room, &order, LATER), STEPS);
        assert_int_equal(play(room, &order, SELDOM), STEPS);
    }
    close_order(&order);
}

/* A preset that comes while another does, and hard cuts. */
static void test_cuts(void **state)
{
    struct room *room = *state;
    struct order order;
    if (room->gpu == NULL) {
        skip();
    }
    open_order(&order);
    for (enum wish wish = WANTED; wish < WISHES; wish++) {
        order.seconds = 2 * EACH / 30.0;
        (void)play(room, &order, wish);
        order.seconds = 0;
        assert_int_equal(play(room, &order, wish), wish == WANTED ? 0 : STEPS);
    }
    close_order(&order);
}

/* Where the cost of frames is limited, what leaves may stand still or leave at once. */
static void test_limited_cost(void **state)
{
    static const int64_t costs[] = {12000000, 6000000, 2000000};
    struct room *room = *state;
    struct order order;
    if (room->gpu == NULL) {
        skip();
    }
    open_order(&order);
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        order.cost = costs[i];
        (void)play(room, &order, i % 2 == 0 ? LATER : WANTED);
    }
    close_order(&order);
}

/* What stayed has had its cost, and comes whole and fine although it is lost, and something coarser
 * is wanted from now on. */
static void test_lost_behind_a_costly_frame(void **state)
{
    struct room *room = *state;
    struct order order;
    struct party ours;
    struct party theirs;
    unsigned stayed = 0;
    if (room->gpu == NULL) {
        skip();
    }
    open_order(&order);
    order.seconds = 0;
    for (order.cost = 20000; order.cost < 2000000; order.cost += order.cost / 4) {
        room->lost = false;
        room->runs = -1;
        open_party(&ours, &order, NULL);
        open_party(&theirs, &order, &room->device);
        give(&ours, &order, 1);
        give(&theirs, &order, 1);
        (void)make_step(&ours, 1, false);
        if (make_step(&theirs, 1, true)) {
            stayed++;
            room->runs = 0;
            rend_show_set_divisors(theirs.show, (const int[]){2, 2});
            rend_show_fetch(theirs.show, theirs.pixels, WIDTH);
        }
        assert_memory_equal(ours.pixels, theirs.pixels, sizeof ours.pixels);
        close_party(&theirs);
        close_party(&ours);
    }
    room->runs = -1;
    assert_true(stayed > 2);
    close_order(&order);
}

static void test_lost_at_any_run(void **state)
{
    struct room *room = *state;
    struct order order;
    if (room->gpu == NULL) {
        skip();
    }
    open_order(&order);
    order.cues = 2;
    order.transition[1] = REND_TRANSITION_plasma;
    int runs = 0;
    do {
        room->runs = runs;
        runs += stride();
        (void)play(room, &order, (enum wish)(runs % WISHES));
    } while (room->lost);
    room->runs = -1;
    assert_true(runs > 5 * 2 * EACH);
    close_order(&order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_all_ways),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_limited_cost),
        cmocka_unit_test(test_lost_behind_a_costly_frame),
        cmocka_unit_test(test_lost_at_any_run),
    };
    return cmocka_run_group_tests(tests, open_room, close_room);
}
