/* fail_memory [--every N] [SCENE...]: what becomes of froth when the nth request for memory fails,
 * for one n after the other up to 2,000, once that one alone and once all from there on. Of its own
 * code: the linker leads malloc and its like here. A scene says itself what must hold then: the old
 * goes on, what is refused is told, what is not refused is as it would have been, nothing that a
 * user entered is lost. --every N: only each Nth n. Exit code 1 if something is amiss. */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/library/inside.h"
#include "app/loading/loading.h"
#include "engine/loading.h"
#include "base/cpu.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/random.h"
#include "renderer/show.h"
#include "ui/editor/editor.h"

enum { REQUESTS_MAX = 2000 };

/* ---- memory that fails ---- */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
FILE *__real_open_memstream(char **text, size_t *size);

static atomic_bool counts;       /* requests are counted */
static atomic_int requests;      /* so far */
static atomic_int first_failing; /* counted from 1 */
static atomic_bool all_after;    /* and those after it */
static atomic_int failed;        /* how many have */

static bool fails(void)
{
    if (!atomic_load(&counts)) {
        return false;
    }
    const int number = atomic_fetch_add(&requests, 1) + 1;
    const int first = atomic_load(&first_failing);
    const bool fail = number == first || (number > first && atomic_load(&all_after));
    if (fail) {
        atomic_fetch_add(&failed, 1);
        errno = ENOMEM;
    }
    return fail;
}

void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size);
char *__wrap_strndup(const char *text, size_t size)
{
    return fails() ? NULL : __real_strndup(text, size);
}

FILE *__wrap_open_memstream(char **text, size_t *size);
FILE *__wrap_open_memstream(char **text, size_t *size)
{
    return fails() ? NULL : __real_open_memstream(text, size);
}

static void begin_failing(void)
{
    atomic_store(&counts, true);
}

static void end_failing(void)
{
    atomic_store(&counts, false);
}

/* ---- what a scene finds ---- */

static const char *scene_name;
static int complaints;

static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)printf("%s, request %d%s: ", scene_name, atomic_load(&first_failing),
                 atomic_load(&all_after) ? " and all after it" : "");
    (void)vprintf(format, arguments);
    (void)printf("\n");
    va_end(arguments);
    complaints++;
}

/* ---- loading, stepping, changing ---- */

enum { WIDTH = 48, HEIGHT = 36, FPS = 30, SAMPLES = 1470, STEPS = 4, BLEND_STEPS = 6 };

static const char *const presets[] = {"froth - Tidal Glass.milk", "froth - Corona.milk"};
enum { PRESETS = sizeof presets / sizeof *presets };

static const struct rend_config config = {
    .width = WIDTH, .height = HEIGHT, .mesh_x = 8, .mesh_y = 6, .fps = FPS};

static struct rend_patch *load(int preset, struct rend_resources *resources,
                               const struct base_diag_sink *sink)
{
    char path[1024];
    char name[ENGINE_PRESET_NAME];
    (void)snprintf(path, sizeof path, "%s/presets/originals/%s", TEST_SOURCE, presets[preset]);
    return engine_patch_load(path, (struct base_span){0}, resources, name, sink);
}

static struct rend_input input_of(uint64_t frame)
{
    static float sound[2 * SAMPLES];
    for (int i = 0; i < 2 * SAMPLES; i++) {
        sound[i] = (float)((i * 37 + (int)frame * 11) % 200 - 100) / 150.0F;
    }
    return (struct rend_input){.frame = frame,
                               .time = (double)frame / FPS,
                               .fps = FPS,
                               .audio = sound,
                               .audio_frames = SAMPLES};
}

static uint64_t hash_steps(struct rend *rend)
{
    static uint32_t pixels[WIDTH * HEIGHT];
    uint64_t hash = BASE_HASH_START;
    for (uint64_t frame = 1; frame <= STEPS; frame++) {
        const struct rend_input input = input_of(frame);
        (void)rend_step(rend, &input, pixels, WIDTH);
        hash = base_hash(hash, pixels, sizeof pixels);
    }
    return hash;
}

/* A preset from its file to its first pictures. */
static void load_preset(int preset)
{
    static uint64_t right[PRESETS];
    struct base_diag_list said = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&said);
    begin_failing();
    struct rend_resources *resources = app_resources_create(NULL, 1, REND_MEMORY);
    struct rend_patch *patch = resources != NULL ? load(preset, resources, &sink) : NULL;
    if (resources != NULL && patch == NULL && said.count == 0) {
        complain("the preset is refused without a message");
    }
    struct rend *rend = patch != NULL ? rend_create(&config) : NULL;
    const size_t before = said.count;
    const bool loaded = rend != NULL && rend_load(rend, patch, 0, &sink) == 0;
    if (rend != NULL && !loaded && said.count == before) {
        complain("the patch is refused without a message");
    }
    const int at = atomic_load(&requests);
    const uint64_t hash = loaded ? hash_steps(rend) : 0;
    if (atomic_load(&requests) != at) {
        complain("a step asks for memory");
    }
    end_failing();
    if (atomic_load(&failed) == 0) {
        right[preset] = hash;
    }
    if (loaded && hash != right[preset] && said.count == 0) {
        complain("the picture is another one without a message");
    }
    rend_free(rend);
    rend_patch_free(patch);
    rend_resources_free(resources);
}

static void load_classic(void)
{
    load_preset(0);
}

static void load_shaders(void)
{
    load_preset(1);
}

static void free_retired(struct rend_show *show)
{
    for (struct rend_cue *cue = rend_show_retired(show); cue != NULL;
         cue = rend_show_retired(show)) {
        rend_cue_free(cue);
    }
}

/* A show that changes to another preset while one runs: it never stops. */
static void change_preset(void)
{
    static uint32_t pixels[WIDTH * HEIGHT];
    static uint64_t right;
    struct base_diag_list said = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&said);
    struct rend_resources *resources = app_resources_create(NULL, 1, REND_MEMORY);
    struct rend_patch *patches[2] = {load(0, resources, NULL), NULL};
    struct rend_show *show = rend_show_create(&config);
    const struct rend_change cut = {0};
    const struct rend_moment moment = rend_show_moment(show);
    rend_show_take(show, rend_cue_create(&config, patches[0], &cut, &moment, NULL));
    uint64_t hash = BASE_HASH_START;
    struct rend_cue *cue = NULL;
    for (uint64_t frame = 1; frame <= 2 + BLEND_STEPS; frame++) {
        begin_failing();
        if (frame == 2) {
            const struct rend_change change = {.transition = REND_TRANSITION_plasma,
                                               .seconds = (double)BLEND_STEPS / FPS};
            const struct rend_moment now = rend_show_moment(show);
            patches[1] = load(1, resources, &sink);
            if (patches[1] != NULL) {
                cue = rend_cue_create(&config, patches[1], &change, &now, &sink);
            }
            if (cue == NULL && said.count == 0) {
                complain("the preset is refused without a message");
            }
            if (cue != NULL) {
                rend_show_take(show, cue);
            }
        }
        const int at = atomic_load(&requests);
        const struct rend_input input = input_of(frame);
        (void)rend_show_step(show, &input, pixels, WIDTH);
        if (atomic_load(&requests) != at) {
            complain("a step of a show asks for memory");
        }
        end_failing();
        hash = base_hash(hash, pixels, sizeof pixels);
        free_retired(show);
    }
    if (atomic_load(&failed) == 0) {
        right = hash;
    }
    if (cue != NULL && hash != right && said.count == 0) {
        complain("the picture is another one without a message");
    }
    rend_show_end(show);
    free_retired(show);
    rend_show_free(show);
    rend_patch_free(patches[0]);
    rend_patch_free(patches[1]);
    rend_resources_free(resources);
}

/* ---- the library ---- */

static char root[64];

static void put(const char *name, const char *text)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    if (base_file_cache(path, text, strlen(text)) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

static uint64_t put_preset(int number)
{
    char name[64];
    char text[64];
    (void)snprintf(name, sizeof name, "presets/p%d.milk", number);
    (void)snprintf(text, sizeof text, "[preset00]\nper_frame_1=a=%d;\n", number);
    put(name, text);
    return base_content_hash(text, strlen(text));
}

/* What was rated before is still there, and what is rated now too, unless its loss is told. */
static void check_list(const uint64_t contents[4], bool rated, bool told)
{
    struct app_library_opinions list;
    char path[256];
    size_t size = 0;
    (void)snprintf(path, sizeof path, "%s/data/library.yaml", root);
    char *text = base_file_read(path, 1 << 20, &size, NULL);
    const struct base_span span = {text != NULL ? text : "", size};
    if (app_library_opinions_read(&list, path, span, NULL) != 0 || list.damaged) {
        complain("the list of ratings is damaged");
    }
    const struct preset_opinion *old = app_library_opinions_get(&list, contents[0]);
    if (old == NULL || old->stars != 4 || old->tags == NULL) {
        complain("a rating from before is lost");
    }
    const struct preset_opinion *new = app_library_opinions_get(&list, contents[1]);
    if (rated && !told && (new == NULL || new->stars != 2)) {
        complain("a rating is lost without a message");
    }
    app_library_opinions_free(&list);
    free(text);
}

static void use_library(void)
{
    uint64_t contents[4];
    char command[128];
    char path[256];
    char data[256];
    char cache[256];
    struct base_diag_list said = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&said);
    (void)snprintf(root, sizeof root, "%s/froth-memory-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(root) == NULL) {
        exit(EXIT_FAILURE);
    }
    for (int i = 0; i < 4; i++) {
        contents[i] = put_preset(i);
    }
    char text[256];
    (void)snprintf(text, sizeof text, "\"%016llx\": {name: \"p0\", stars: 4, tags: [\"calm\"]}\n",
                   (unsigned long long)contents[0]);
    put("data/library.yaml", text);
    put("data/playlists/mine.txt", "../presets/p3.milk\n");
    (void)snprintf(path, sizeof path, "%s/presets", root);
    (void)snprintf(data, sizeof data, "%s/data", root);
    (void)snprintf(cache, sizeof cache, "%s/cache", root);
    const char *paths[] = {path};
    const struct app_library_setup setup = {
        .paths = paths, .path_count = 1, .data = data, .cache = cache, .seed = 1};
    begin_failing();
    struct app_library *library = app_library_open(&setup, &sink);
    bool rated = false;
    if (library == NULL && said.count == 0) {
        complain("the library is refused without a message");
    }
    if (library != NULL) {
        uint32_t numbers[8];
        struct engine_choice choice;
        (void)app_library_wait(library);
        while (app_library_state(library).scanning) {
            (void)nanosleep(&(struct timespec){0, 100000}, NULL);
        }
        const uint32_t number = app_library_find(library, "p1");
        struct app_library_entry entry;
        rated = app_library_entry(library, number, &entry);
        app_library_rate(library, number, 2);
        (void)app_library_tag(library, app_library_find(library, "p0"), "new", true);
        app_library_judge(library, number, APP_VERDICT_DEGRADED);
        (void)app_library_playlist_add(library, "mine", number, &sink);
        (void)app_library_playlist(library, "mine", &sink);
        (void)app_library_playlist_move(library, "mine", true, 0, 1, &sink);
        (void)app_library_search(library, "p stars>=1", numbers, 8);
        (void)app_library_step(library, 1, &choice);
        app_library_random(library, true);
        (void)app_library_step(library, 1, &choice);
        /* Memory may be short for ever; then the end tells what is lost. */
        app_library_close(library);
    }
    end_failing();
    check_list(contents, rated, said.count > 0);
    size_t size = 0;
    (void)snprintf(text, sizeof text, "%s/data/playlists/mine.txt", root);
    char *list = base_file_read(text, 1 << 16, &size, NULL);
    if (list == NULL || strstr(list, "../presets/p3.milk\n") == NULL || list[size - 1] != '\n') {
        complain("the playlist is damaged");
    }
    free(list);
    (void)snprintf(command, sizeof command, "rm -r %s", root);
    if (system(command) != 0) {
        exit(EXIT_FAILURE);
    }
}

/* ---- the editor ---- */

static bool edit(struct ui_editor *editor, int number)
{
    static const char *const keys[] = {"Ctrl+End", "Enter",  "Ctrl+A", "Ctrl+C", "Ctrl+End",
                                       "Ctrl+V",   "Ctrl+D", "Ctrl+/", "Alt+Up", "Backspace",
                                       "Ctrl+X",   "Ctrl+Z", "Ctrl+Y", "Tab",    "Alt+Down"};
    enum { KEYS = sizeof keys / sizeof *keys };
    const struct base_diag message = {.severity = BASE_ERROR, .what = "wrong"};
    switch (number) {
    case 0:
        return ui_editor_load(editor, base_span_of("[preset00]\nfDecay=0.9\nper_frame_1=a=1;\n")) ==
               0;
    case 1:
        ui_editor_type(editor,
                       base_span_of("a long line that is typed, and another\nline\nand one more"));
        return true;
    case 2:
        return ui_editor_replace(editor,
                                 base_span_of("[preset00]\nfDecay=0.8\nper_frame_1=b=2;\n")) == 0;
    case 3:
        return ui_editor_undo(editor);
    case 4:
        return ui_editor_redo(editor);
    case 5:
        ui_editor_set_messages(editor, &message, 1);
        return ui_editor_find(editor, base_span_of("decay"));
    case 6:
        return ui_editor_set_clipboard(editor, base_span_of("clip\nboard")) == 0;
    default:
        return number - 7 < KEYS ? ui_editor_key(editor, keys[number - 7]) : false;
    }
}
enum { EDITS = 7 + 15 };

static char *text_of(struct ui_editor *editor)
{
    const struct base_span text = ui_editor_text(editor);
    char *copy = __real_malloc(text.size + 1);
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    return copy;
}

/* Each edit is made as a whole or not at all. */
static void edit_text(void)
{
    begin_failing();
    struct ui_editor *editor = ui_editor_create();
    end_failing();
    struct ui_editor *twin = ui_editor_create(); /* in which nothing fails */
    for (int i = 0; editor != NULL && i < EDITS; i++) {
        char *before = text_of(editor);
        const int earlier = atomic_load(&failed);
        begin_failing();
        (void)edit(editor, i);
        (void)ui_editor_text(editor);
        end_failing();
        char *after = text_of(editor);
        (void)edit(twin, i);
        char *wanted = text_of(twin);
        const bool hurt = atomic_load(&failed) > earlier;
        if (strcmp(after, wanted) != 0 && (!hurt || strcmp(after, before) != 0)) {
            complain("edit %d is made by halves", i);
        }
        free(before);
        free(after);
        free(wanted);
        if (hurt) {
            /* What comes after it still works; the twin has gone another way. */
            for (int more = i + 1; more < EDITS; more++) {
                begin_failing();
                (void)edit(editor, more);
                end_failing();
                free(text_of(editor));
            }
            break;
        }
    }
    ui_editor_free(editor);
    ui_editor_free(twin);
}

/* ---- all of them ---- */

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {
    {"load", load_classic},   {"load-shaders", load_shaders}, {"switch", change_preset},
    {"library", use_library}, {"editor", edit_text},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* Returns how many requests the scene makes. */
static int run_once(size_t scene, int first, bool all)
{
    atomic_store(&requests, 0);
    atomic_store(&failed, 0);
    atomic_store(&first_failing, first);
    atomic_store(&all_after, all);
    scenes[scene].run();
    return atomic_load(&requests);
}

static void run_scene(size_t scene, int every)
{
    enum { ALWAYS = 16 }; /* the first ones are all tried */
    scene_name = scenes[scene].name;
    const int clean = run_once(scene, 0, false);
    int tried = 0;
    for (int first = 1; first <= clean && first <= REQUESTS_MAX; first++) {
        if (first <= ALWAYS || first % every == 0) {
            (void)run_once(scene, first, false);
            (void)run_once(scene, first, true);
            tried += 2;
        }
    }
    (void)printf("%s: %d requests, %d times one failed\n", scene_name, clean, tried);
}

int main(int argc, char **argv)
{
    int every = 1;
    int at = 1;
    if (at + 1 < argc && strcmp(argv[at], "--every") == 0) {
        every = atoi(argv[at + 1]);
        at += 2;
    }
    for (size_t i = 0; i < SCENES && every > 0; i++) {
        bool wanted = at == argc;
        for (int word = at; word < argc; word++) {
            wanted = wanted || strcmp(argv[word], scenes[i].name) == 0;
        }
        if (wanted) {
            run_scene(i, every);
        }
    }
    return complaints == 0 && every > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
