/* facts PAGE...: renders the presets of each page and checks its facts. Exit code 1 if any fails.
 * facts --shared: the page of the folder that FROTH_SHARED names; 77 (skipped) if it is not set. */
#include "../heard.h"
#include "facts.h"

#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "base/cpu.h"
#include "base/os/print.h"
#include "presets/presets.h"
#include "renderer/renderer.h"

enum { SKIPPED = 77 };

struct tally {
    size_t checked;
    size_t failed;
};

/* Facts that froth shows a little differently on purpose; the wider tolerance still holds. */
struct deviation {
    const char *name;
    unsigned frame;
    const char *what;
    double tolerance;
    const char *why;
};

static const struct deviation deviations[] = {
    {"warp_ripple", 5, "centroid red", 1.0,
     "the warp interpolates over rectangles as the TMU does, MilkDrop over two triangles each"},
};

struct stage {
    struct preset preset;
    struct rend_patch *patch;
    struct rend *rend;
    struct app_audio *audio;
    uint32_t *pixels;
};

static bool set_up(struct stage *stage, const char *path)
{
    static const struct rend_config config = {
        .width = FACTS_WIDTH, .height = FACTS_HEIGHT, .mesh_x = 32, .mesh_y = 24, .fps = HEARD_FPS};
    const struct base_diag_sink *sink = &base_diag_stderr;
    struct rend_config here = config;
    here.cpu = base_cpu_best();
    return preset_read_file(&stage->preset, path, sink) == 0 &&
           (stage->patch = rend_patch_create(&stage->preset, NULL, sink)) != NULL &&
           (stage->rend = rend_create(&here)) != NULL &&
           rend_load(stage->rend, stage->patch, 0, sink) == 0 &&
           (stage->audio = app_audio_open("test", sink)) != NULL &&
           (stage->pixels = calloc(FACTS_WIDTH * FACTS_HEIGHT, sizeof *stage->pixels)) != NULL;
}

static void tear_down(struct stage *stage)
{
    free(stage->pixels);
    app_audio_close(stage->audio);
    if (stage->rend != NULL) {
        rend_free(stage->rend);
    }
    if (stage->patch != NULL) {
        rend_patch_free(stage->patch);
    }
    preset_free(&stage->preset);
}

static void fail(struct tally *tally, const char *name, const struct fact *fact, const char *got)
{
    tally->failed++;
    (void)printf("%s: frame %u: %s: expected %s (tol %g), got %s\n", name, fact->frame, fact->what,
                 fact->expectation, fact->tolerance, got);
}

/* Whether the fact holds within the tolerance of a known deviation. */
static bool deviates_as_known(const struct facts_section *section, const struct fact *fact,
                              const uint32_t *pixels)
{
    for (size_t i = 0; i < sizeof deviations / sizeof *deviations; i++) {
        const struct deviation *known = &deviations[i];
        if (fact->frame != known->frame || strcmp(section->name, known->name) != 0 ||
            strcmp(fact->what, known->what) != 0) {
            continue;
        }
        char got[FACTS_TEXT_MAX] = "";
        struct fact wider = *fact;
        wider.tolerance = known->tolerance;
        if (wider.check(&wider, pixels, got, sizeof got)) {
            (void)printf("%s: frame %u: %s: within %g instead of %g: %s\n", section->name,
                         fact->frame, fact->what, known->tolerance, fact->tolerance, known->why);
            return true;
        }
    }
    return false;
}

static void check_frame(const struct facts_section *section, unsigned frame, const uint32_t *pixels,
                        struct tally *tally)
{
    for (size_t i = 0; i < section->count; i++) {
        const struct fact *fact = &section->facts[i];
        if (fact->frame != frame) {
            continue;
        }
        char got[FACTS_TEXT_MAX] = "a row that cannot be understood";
        tally->checked++;
        const bool holds = fact->check != NULL && fact->check(fact, pixels, got, sizeof got);
        if (!holds && (fact->check == NULL || !deviates_as_known(section, fact, pixels))) {
            fail(tally, section->name, fact, got);
        }
    }
}

static void check_section(const struct facts_section *section, const char *folder,
                          struct tally *tally)
{
    char path[1100];
    (void)snprintf(path, sizeof path, "%s/%s.milk", folder, section->name);
    unsigned last = 0;
    for (size_t i = 0; i < section->count; i++) {
        last = section->facts[i].frame > last ? section->facts[i].frame : last;
    }
    struct stage stage = {0};
    if (!set_up(&stage, path)) {
        tally->checked += section->count;
        tally->failed += section->count;
        (void)printf("%s: cannot be rendered\n", section->name);
    } else {
        for (unsigned frame = 1; frame <= last; frame++) {
            heard_step(stage.rend, stage.audio, frame, stage.pixels, FACTS_WIDTH);
            check_frame(section, frame, stage.pixels, tally);
        }
    }
    tear_down(&stage);
}

static int check_page(const char *page_path)
{
    FILE *page = fopen(page_path, "r");
    struct facts_section *section = malloc(sizeof *section);
    if (page == NULL || section == NULL) {
        (void)fprintf(stderr, "%s: error: cannot be read\n", page_path);
        return 1;
    }
    char folder[900];
    (void)snprintf(folder, sizeof folder, "%s", page_path);
    char *slash = strrchr(folder, '/');
    (void)strcpy(slash != NULL ? slash : folder, slash != NULL ? "" : ".");
    struct tally tally = {0};
    while (facts_read_section(page, section)) {
        check_section(section, folder, &tally);
    }
    free(section);
    (void)fclose(page);
    (void)printf("facts: %zu checked, %zu failed\n", tally.checked, tally.failed);
    return tally.failed == 0 && tally.checked > 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    int result = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--shared") == 0) {
            const char *shared = getenv("FROTH_SHARED");
            if (shared == NULL || *shared == '\0') {
                (void)printf("facts: FROTH_SHARED is not set\n");
                return SKIPPED;
            }
            char path[900];
            (void)snprintf(path, sizeof path, "%s/golden/render/expected.md", shared);
            result |= check_page(path);
        } else {
            result |= check_page(argv[i]);
        }
    }
    return result;
}
