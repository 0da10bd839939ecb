/* An instance: its life, presets, sound, values. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "engine/embed/instance.h"
#include "presets/file.h"

enum {
    RATE_MAX = 1000,
    DENOMINATOR_MAX = 1001,
    STEP_RATE_MIN = 10,
    STEP_RATE_MAX = 240,
    MESH_MIN = 2,
    THREADS_MAX = 64,
    BLEND_MAX = 60,
    MEMORY_MIN = 1 << 20,
};

int froth_abi(void)
{
    return FROTH_ABI;
}

const char *froth_version(void)
{
    return FROTH_VERSION;
}

const char *froth_result_text(int result)
{
    static const char *const texts[] = {
        [-FROTH_OK] = "done",
        [-FROTH_BAD_ARGUMENT] = "an argument is missing or out of range",
        [-FROTH_NO_MEMORY] = "not enough memory, or no thread",
        [-FROTH_UNKNOWN] = "there is nothing of this name",
        [-FROTH_REFUSED] = "it cannot be used",
        [-FROTH_NOTHING] = "no preset runs, or nothing is left to be done",
        [-FROTH_TOO_SMALL] = "more than fits into the memory that was given",
    };
    const int count = (int)(sizeof texts / sizeof *texts);
    return result <= 0 && result > -count ? texts[-result] : "unknown result";
}

/* ---- its life ---- */

static void tell(void *user, const struct base_diag *diag)
{
    static const int severities[BASE_SEVERITY_COUNT] = {
        [BASE_NOTE] = FROTH_NOTE, [BASE_WARNING] = FROTH_WARNING, [BASE_ERROR] = FROTH_ERROR};
    froth *show = user;
    const struct base_diag_sink *sink = show->extras.sink;
    if (sink != NULL) {
        sink->receive(sink->user, diag);
        return;
    }
    const struct froth_message message = {
        .severity = severities[diag->severity],
        .file = diag->place.file,
        .line = diag->place.line,
        .column = diag->place.column,
        .what = diag->what,
        .hint = diag->hint,
    };
    if (show->message != NULL && message.severity != 0) {
        (void)pthread_mutex_lock(&show->telling);
        show->message(show->user, &message);
        (void)pthread_mutex_unlock(&show->telling);
    }
}

/* Hosts of before `device` was there know a smaller struct. */
static bool is_known_size(size_t size)
{
    return size == sizeof(struct froth_config) || size == offsetof(struct froth_config, device);
}

int froth_config_begin(struct froth_config *config, size_t size)
{
    if (config == NULL || !is_known_size(size)) {
        return FROTH_BAD_ARGUMENT;
    }
    const struct froth_config usual = {
        .size = size,
        .fps_numerator = 60,
        .fps_denominator = 1,
        .width = 640,
        .height = 480,
        .mesh_width = 48,
        .mesh_height = 36,
        .shader_pixels = 1,
        .advance = 30,
        .blend = 2.7,
    };
    memcpy(config, &usual, size);
    return FROTH_OK;
}

static bool within(double value, double low, double high)
{
    return value >= low && value <= high;
}

static bool is_good(const struct froth_config *config)
{
    struct engine_changes changes = {0};
    const double fps =
        config->fps_denominator > 0 ? (double)config->fps_numerator / config->fps_denominator : 0;
    return config->fps_denominator <= DENOMINATOR_MAX && within(fps, 1, RATE_MAX) &&
           (config->step_rate == 0 || within(config->step_rate, STEP_RATE_MIN, STEP_RATE_MAX)) &&
           within(config->width, REND_SIZE_MIN, REND_SIZE_MAX) &&
           within(config->height, REND_SIZE_MIN, REND_SIZE_MAX) &&
           within(config->mesh_width, MESH_MIN, REND_MESH_MAX_X) &&
           within(config->mesh_height, MESH_MIN, REND_MESH_MAX_Y) &&
           within(config->levels, FROTH_LEVELS_FFT, FROTH_LEVELS_BOARD) &&
           within(config->threads, 0, THREADS_MAX) &&
           within(config->shader_pixels, 1, REND_DIVISOR_MAX) &&
           (config->memory == 0 || config->memory >= MEMORY_MIN) &&
           within(config->advance, 0, ENGINE_CALL_NUMBER_MAX) &&
           within(config->blend, 0, BLEND_MAX) &&
           (config->transition == NULL || engine_changes_set(&changes, config->transition));
}

static void step_presets(void *user, int steps, bool hard)
{
    engine_loader_step(((froth *)user)->loader, steps, hard);
}

static bool is_alone(void *user)
{
    const froth *show = user;
    return !show->extras.repeats && engine_loader_alone(show->loader);
}

static void set_random(void *user, bool on)
{
    froth *show = user;
    const struct engine_supply *other = &show->extras.supply;
    engine_loader_random(show->loader, on);
    if (other->random != NULL) {
        other->random(other->user, on);
    }
}

static void set_blend(void *user, double seconds)
{
    froth *show = user;
    const struct engine_supply *other = &show->extras.supply;
    engine_loader_blend(show->loader, seconds);
    if (other->blend != NULL) {
        other->blend(other->user, seconds);
    }
}

static bool set_transition(void *user, const char *name)
{
    froth *show = user;
    const struct engine_supply *other = &show->extras.supply;
    return other->transition != NULL ? other->transition(other->user, name)
                                     : engine_loader_transition(show->loader, name);
}

void instance_set_divisors(froth *show)
{
    const int fixed[REND_SHADER_STAGES] = {show->shader_pixels, show->shader_pixels};
    engine_set_divisors(show->engine,
                        show->adaptive ? engine_governor_divisors[show->governor.level] : fixed);
}

int froth_set_adaptive(froth *show, int on)
{
    if (show == NULL || show->exact) {
        return FROTH_BAD_ARGUMENT;
    }
    if (show->adaptive != (on != 0)) {
        /* As rough as the estimates are; what is measured takes its place. */
        static const double times[BASE_CPU_LEVEL_COUNT] = BASE_CPU_LEVELS(8, 2, 1, 0.8);
        const double pace = times[show->config.cpu] / (double)base_pool_threads(show->pool);
        engine_governor_begin(&show->governor, 1 / engine_rate_value(show->rate), pace);
        show->adaptive = on != 0;
        instance_set_divisors(show);
    }
    return FROTH_OK;
}

int froth_set_dmx(froth *show, const uint8_t *levels, size_t count)
{
    static_assert((int)FROTH_DMX_CHANNELS == (int)ENGINE_DMX_CHANNELS, "what equations read");
    if (show == NULL || count > FROTH_DMX_CHANNELS || (levels == NULL && count > 0)) {
        return FROTH_BAD_ARGUMENT;
    }
    engine_set_dmx(show->engine, levels, count);
    return FROTH_OK;
}

int froth_set_tempo(froth *show, double bpm, double beats, int runs)
{
    static const double beats_most = 1e12;
    const bool good = bpm == 0 || (bpm >= ENGINE_TEMPO_MIN && bpm <= ENGINE_TEMPO_MAX);
    if (show == NULL || !good || !(fabs(beats) < beats_most)) {
        return FROTH_BAD_ARGUMENT;
    }
    engine_set_tempo(show->engine, ENGINE_TEMPO_HOST, bpm, beats, runs != 0);
    return FROTH_OK;
}

int froth_tempo(const froth *show, struct froth_tempo *tempo)
{
    if (show == NULL || tempo == NULL) {
        return FROTH_BAD_ARGUMENT;
    }
    const struct engine_tempo_clock *clock = &engine_state(show->engine)->tempo;
    const bool driven = clock->drives < ENGINE_TEMPO_SOURCES;
    *tempo = (struct froth_tempo){.bpm = clock->now.bpm,
                                  .beats = clock->now.beats,
                                  .source = driven ? engine_tempo_name(clock->drives) : ""};
    return FROTH_OK;
}

static size_t hear(void *user, uint64_t due, float *interleaved, size_t most)
{
    (void)due;
    return engine_sound_read(((froth *)user)->sound, interleaved, most);
}

static void stepped(void *user, unsigned events)
{
    froth *show = user;
    show->events |= events;
    show->made++;
    if (show->adaptive && (events & REND_EVENTS_COSTLY) != 0 &&
        engine_governor_coarsest(&show->governor)) {
        instance_set_divisors(show);
    }
    instance_retire(show);
    if (show->extras.stepped != NULL) {
        show->extras.stepped(show->extras.user, events);
    }
}

static struct rend_config config_of(const froth *show, const struct froth_config *config,
                                    struct engine_steps steps)
{
    return (struct rend_config){
        .width = config->width,
        .height = config->height,
        .mesh_x = config->mesh_width,
        .mesh_y = config->mesh_height,
        .fps = engine_rate_value(steps.steps),
        .seed = config->seed,
        .levels = (enum rend_levels)config->levels,
        .cpu = show->extras.cpu,
        .pool = show->pool,
        .observer = show->extras.observer,
        .device = show->device != NULL ? engine_device_stages(show->device) : show->extras.device,
        .cost = show->extras.cost,
    };
}

static bool open_engine(froth *show, const struct froth_config *config, struct engine_steps steps)
{
    const double advance = config->advance > 0 ? config->advance : INFINITY;
    const struct engine_setup setup = {
        .config = show->config,
        .steps = steps,
        .divisors = {config->shader_pixels, config->shader_pixels},
        .exact = show->exact,
        .speed = show->extras.speed > 0 ? show->extras.speed : 1,
        .wishes = {.advance = advance, .blend = config->blend, .random = config->random != 0},
        .supply = {show, step_presets, is_alone, set_random, set_blend, set_transition},
        .ear = {show, hear},
        .watcher = show->extras.watcher,
        .stepped = stepped,
        .user = show,
    };
    const struct engine_loader_setup loading = {
        .config = show->config,
        .changes = engine_changes_of(config->transition, config->blend, config->seed),
        .planned = config->advance,
        .pictures = show->extras.pictures != NULL
                        ? *show->extras.pictures
                        : instance_pictures(&show->pictures, config->memory, config->seed),
        .random = config->random != 0,
        .beside = !show->exact,
        .source = show->extras.source,
        .dresser = show->extras.dresser,
        .watches = show->extras.watches,
        .opens = show->extras.opens,
        .resumes = show->extras.resumes,
    };
    show->engine = engine_create(&setup);
    show->loader = show->engine != NULL ? engine_loader_create(&loading, &show->sink) : NULL;
    if (show->loader == NULL) {
        return false;
    }
    const struct rend_moment moment = rend_show_moment(engine_show(show->engine));
    engine_loader_tell(show->loader, &moment);
    return true;
}

static void begin_show(froth *show, const struct froth_config *config)
{
    show->message = config->message;
    show->user = config->user;
    show->sink = (struct base_diag_sink){tell, show};
    (void)pthread_mutex_init(&show->telling, NULL);
}

static bool open_show(froth *show, const struct froth_config *config)
{
    const size_t threads = config->threads > 0 ? (size_t)config->threads : base_processor_count();
    const size_t pixels = (size_t)config->width * (size_t)config->height;
    show->rate = engine_rate_exact(config->fps_numerator, config->fps_denominator);
    show->exact = config->exact != 0;
    show->shader_pixels = config->shader_pixels;
    show->pictures = (struct instance_pictures){config->texture, config->texture_user};
    show->pool = base_pool_create(threads < THREADS_MAX ? threads : THREADS_MAX);
    show->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    show->kept = calloc(pixels, sizeof *show->kept);
    show->sound = engine_sound_create(show->exact ? ENGINE_RESAMPLE_FINE : ENGINE_RESAMPLE_LIVE);
    const struct engine_steps steps =
        engine_steps_of(config->step_rate, config->between != 0, show->rate);
    show->direct =
        steps.blends || engine_rate_value(steps.steps) >= engine_rate_value(steps.frames);
    show->config = config_of(show, config, steps);
    if (show->pool == NULL) {
        base_report(&show->sink, BASE_WARNING, (struct base_place){0}, NULL,
                    "threads cannot be started; one paints everything");
    }
    return show->plain != (locale_t)0 && show->kept != NULL && show->sound != NULL &&
           open_engine(show, config, steps);
}

froth *froth_create(const struct froth_config *config, int *result)
{
    return instance_create(config, NULL, result);
}

froth *instance_create(const struct froth_config *config, const struct instance_extras *extras,
                       int *result)
{
    int unwanted;
    int *why = result != NULL ? result : &unwanted;
    struct froth_config all = {0};
    *why = FROTH_BAD_ARGUMENT;
    if (config == NULL || !is_known_size(config->size)) {
        return NULL;
    }
    memcpy(&all, config, config->size);
    if (!is_good(&all)) {
        return NULL;
    }
    *why = FROTH_NO_MEMORY;
    froth *show = calloc(1, sizeof *show);
    if (show == NULL) {
        return NULL;
    }
    show->extras = extras != NULL ? *extras : (struct instance_extras){.cpu = base_cpu_best()};
    begin_show(show, &all);
    if (engine_device_open(all.device, false, engine_trial_run, &show->device, &show->sink) != 0) {
        *why = FROTH_UNKNOWN;
        froth_free(show);
        return NULL;
    }
    if (!open_show(show, &all)) {
        froth_free(show);
        return NULL;
    }
    *why = FROTH_OK;
    return show;
}

void instance_retire(froth *show)
{
    const struct rend_cue *cue = engine_retired(show->engine);
    for (; cue != NULL; cue = engine_retired(show->engine)) {
        struct engine_loaded *loaded = rend_cue_user(cue);
        for (size_t i = 0; i < INSTANCE_TAKEN; i++) {
            show->taken[i] = show->taken[i] == loaded ? NULL : show->taken[i];
        }
        engine_loader_retire(show->loader, loaded);
    }
}

void instance_drop_waiting(froth *show)
{
    engine_loader_retire(show->loader, show->waiting);
    show->waiting = NULL;
}

void instance_took(froth *show, const struct engine_loaded *loaded)
{
    size_t i = 0;
    while (show->taken[i] != NULL) {
        i++;
        assert(i < INSTANCE_TAKEN);
    }
    show->taken[i] = loaded;
    show->current = loaded;
}

void froth_free(froth *show)
{
    if (show == NULL) {
        return;
    }
    if (show->loader != NULL) {
        engine_end(show->engine);
        instance_retire(show);
        instance_drop_waiting(show);
    }
    engine_loader_free(show->loader);
    engine_free(show->engine);
    engine_sound_free(show->sound);
    engine_device_close(show->device, &show->sink);
    base_pool_destroy(show->pool);
    if (show->plain != (locale_t)0) {
        freelocale(show->plain);
    }
    (void)pthread_mutex_destroy(&show->telling);
    free(show->kept);
    free(show);
}

/* ---- presets and the playlist ---- */

static bool is_change(int change)
{
    return change == FROTH_SOFT || change == FROTH_HARD;
}

static int give_text(const char *text, char *to, size_t size)
{
    (void)snprintf(to, size, "%s", text);
    return strlen(text) < size ? FROTH_OK : FROTH_TOO_SMALL;
}

int froth_load_file(froth *show, const char *path, int change)
{
    if (show == NULL || path == NULL || !is_change(change)) {
        return FROTH_BAD_ARGUMENT;
    }
    const struct base_span none = {NULL, 0};
    const int result = engine_loader_load(show->loader, path, none, change == FROTH_HARD);
    return result == 0 ? FROTH_OK : FROTH_REFUSED;
}

const struct rend_patch *instance_load(froth *show, const char *path, const char *transition,
                                       double seconds)
{
    return engine_loader_load_for(show->loader, path, transition, seconds);
}

struct engine *instance_engine(froth *show)
{
    return show->engine;
}

struct engine_loader *instance_loader(froth *show)
{
    return show->loader;
}

int froth_load_text(froth *show, const char *name, const char *text, size_t size, int change)
{
    if (show == NULL || name == NULL || text == NULL || !is_change(change)) {
        return FROTH_BAD_ARGUMENT;
    }
    if (size > PRESET_FILE_MAX) {
        return FROTH_REFUSED;
    }
    const struct base_span span = {text, size};
    const int result = engine_loader_load(show->loader, name, span, change == FROTH_HARD);
    return result == 0 ? FROTH_OK : FROTH_REFUSED;
}

int froth_preset_name(const froth *show, char *name, size_t size)
{
    if (show == NULL || name == NULL || size == 0) {
        return FROTH_BAD_ARGUMENT;
    }
    return give_text(show->current != NULL ? show->current->preset->name : "", name, size);
}

int froth_preset_path(const froth *show, char *path, size_t size)
{
    if (show == NULL || path == NULL || size == 0) {
        return FROTH_BAD_ARGUMENT;
    }
    return give_text(show->current != NULL ? show->current->preset->path : "", path, size);
}

int froth_changes(const froth *show)
{
    return show != NULL && rend_show_changes(engine_show(show->engine));
}

long froth_playlist_add(froth *show, const char *path)
{
    if (show == NULL || path == NULL) {
        return FROTH_BAD_ARGUMENT;
    }
    const long added = engine_loader_add(show->loader, path);
    return added >= 0 ? added : FROTH_REFUSED;
}

int froth_playlist_add_text(froth *show, const char *name, const char *text, size_t size)
{
    if (show == NULL || name == NULL || text == NULL) {
        return FROTH_BAD_ARGUMENT;
    }
    if (size > PRESET_FILE_MAX) {
        return FROTH_REFUSED;
    }
    const struct base_span span = {text, size};
    return engine_loader_add_text(show->loader, name, span) == 0 ? FROTH_OK : FROTH_NO_MEMORY;
}

int froth_playlist_clear(froth *show)
{
    if (show == NULL) {
        return FROTH_BAD_ARGUMENT;
    }
    engine_loader_clear(show->loader);
    return FROTH_OK;
}

size_t froth_playlist_count(const froth *show)
{
    return show != NULL ? engine_loader_count(show->loader) : 0;
}

int froth_playlist_path(const froth *show, size_t item, char *path, size_t size)
{
    if (show == NULL || path == NULL || size == 0) {
        return FROTH_BAD_ARGUMENT;
    }
    return engine_loader_path(show->loader, item, path, size) ? FROTH_OK : FROTH_UNKNOWN;
}

long froth_playlist_at(const froth *show)
{
    const bool listed =
        show != NULL && show->current != NULL && show->current->number != ENGINE_NUMBER_NONE;
    return listed ? (long)show->current->number : -1;
}

int froth_playlist_show(froth *show, size_t item, int change)
{
    if (show == NULL || !is_change(change)) {
        return FROTH_BAD_ARGUMENT;
    }
    if (item >= engine_loader_count(show->loader)) {
        return FROTH_UNKNOWN;
    }
    const int result = engine_loader_choose(show->loader, (uint32_t)item, change == FROTH_HARD);
    return result == 0 ? FROTH_OK : FROTH_REFUSED;
}

int froth_next(froth *show, int steps, int change)
{
    const double most = engine_command_rows[ENGINE_COMMAND_NEXT].high;
    if (show == NULL || !is_change(change) || !within(steps, -most, most)) {
        return FROTH_BAD_ARGUMENT;
    }
    engine_step_presets(show->engine, steps, change == FROTH_HARD);
    return FROTH_OK;
}

int froth_wait(froth *show, double seconds)
{
    return show != NULL && seconds >= 0 &&
           (show->waiting != NULL || engine_loader_wait(show->loader, seconds));
}

/* ---- sound ---- */

static bool can_be_heard(const froth *show, const void *samples, size_t frames, int channels,
                         uint32_t rate)
{
    return show != NULL && (samples != NULL || frames == 0) && (channels == 1 || channels == 2) &&
           rate >= ENGINE_SOUND_RATE_MIN && rate <= ENGINE_SOUND_RATE_MAX &&
           frames <= SIZE_MAX / sizeof(double);
}

int froth_add_sound_float(froth *show, const float *samples, size_t frames, int channels,
                          uint32_t rate)
{
    if (!can_be_heard(show, samples, frames, channels, rate)) {
        return FROTH_BAD_ARGUMENT;
    }
    const int result = engine_sound_add(show->sound, samples, frames, (unsigned)channels, rate);
    return result == 0 ? FROTH_OK : FROTH_NO_MEMORY;
}

int froth_add_sound_int16(froth *show, const int16_t *samples, size_t frames, int channels,
                          uint32_t rate)
{
    if (!can_be_heard(show, samples, frames, channels, rate)) {
        return FROTH_BAD_ARGUMENT;
    }
    const int result =
        engine_sound_add_int16(show->sound, samples, frames, (unsigned)channels, rate);
    return result == 0 ? FROTH_OK : FROTH_NO_MEMORY;
}

int froth_end_sound(froth *show)
{
    if (show == NULL) {
        return FROTH_BAD_ARGUMENT;
    }
    engine_sound_end(show->sound);
    return FROTH_OK;
}

size_t froth_sound_wanted(const froth *show)
{
    return show != NULL && show->exact
               ? engine_sound_wanted(show->sound,
                                     (size_t)engine_hears(show->engine, froth_frame(show) + 1))
               : 0;
}

size_t froth_sound_waiting(const froth *show)
{
    return show != NULL ? engine_sound_waiting(show->sound) : 0;
}

size_t froth_sound_dropped(const froth *show)
{
    return show != NULL ? engine_sound_dropped(show->sound) : 0;
}

int froth_heard(const froth *show, struct froth_heard *heard)
{
    if (show == NULL || heard == NULL) {
        return FROTH_BAD_ARGUMENT;
    }
    const struct rend *front = rend_show_front(engine_show(show->engine));
    if (front == NULL) {
        return FROTH_NOTHING;
    }
    const struct rend_heard now = rend_heard(front);
    memcpy(heard->level, now.level, sizeof heard->level);
    memcpy(heard->level_slow, now.level_att, sizeof heard->level_slow);
    heard->beats = now.beats;
    heard->beat_phase = now.beat_phase;
    heard->bpm = now.bpm;
    return FROTH_OK;
}

/* ---- values and commands ---- */

static int kind_of(unsigned command)
{
    const enum engine_argument argument = engine_command_rows[command].argument;
    return engine_adjust_of(command) != NULL    ? FROTH_KEY
           : argument == ENGINE_ARGUMENT_SWITCH ? FROTH_SWITCH
           : argument == ENGINE_ARGUMENT_NUMBER ? FROTH_NUMBER
                                                : FROTH_ACTION;
}

size_t froth_value_count(void)
{
    return ENGINE_COMMAND_COUNT - 1;
}

int froth_value_info(size_t index, struct froth_value *value)
{
    if (value == NULL || index >= froth_value_count()) {
        return FROTH_BAD_ARGUMENT;
    }
    const unsigned command = (unsigned)index + 1;
    const struct engine_command_row *row = &engine_command_rows[command];
    const int kind = kind_of(command);
    const bool ranged = kind == FROTH_NUMBER || kind == FROTH_KEY;
    *value = (struct froth_value){row->name,
                                  row->help,
                                  engine_argument_names[row->argument],
                                  kind,
                                  ranged ? row->low : 0,
                                  ranged ? row->high : 0};
    return FROTH_OK;
}

static int failed_of(const froth *show, unsigned command)
{
    if (engine_command_rows[command].of_preset) {
        return rend_show_front(engine_show(show->engine)) == NULL ? FROTH_NOTHING
               : command == ENGINE_COMMAND_SET                    ? FROTH_UNKNOWN
                                                                  : FROTH_NOTHING;
    }
    return command == ENGINE_COMMAND_TRANSITION || command == ENGINE_COMMAND_CLOCK
               ? FROTH_UNKNOWN
               : FROTH_BAD_ARGUMENT;
}

static int obey(froth *show, const struct engine_call *call)
{
    return engine_obey(show->engine, call) ? FROTH_OK : failed_of(show, call->command);
}

int froth_set(froth *show, const char *name, double value)
{
    if (show == NULL || name == NULL || !isfinite(value)) {
        return FROTH_BAD_ARGUMENT;
    }
    const struct base_span span = base_span_of(name);
    const struct engine_call call = {.command = engine_command_by_name(&engine_vocabulary, span),
                                     .to = value != 0 ? ENGINE_SWITCH_ON : ENGINE_SWITCH_OFF,
                                     .absolute = true,
                                     .number = value};
    if (call.command == ENGINE_COMMAND_NONE || kind_of(call.command) == FROTH_ACTION) {
        return preset_key_find(span) == NULL           ? FROTH_UNKNOWN
               : engine_put(show->engine, span, value) ? FROTH_OK
                                                       : FROTH_NOTHING;
    }
    return obey(show, &call);
}

int froth_get(const froth *show, const char *name, double *value)
{
    if (show == NULL || name == NULL || value == NULL) {
        return FROTH_BAD_ARGUMENT;
    }
    const struct base_span span = base_span_of(name);
    const unsigned command = engine_command_by_name(&engine_vocabulary, span);
    const int kind = command != ENGINE_COMMAND_NONE ? kind_of(command) : FROTH_ACTION;
    if (kind == FROTH_ACTION) {
        return preset_key_find(span) == NULL            ? FROTH_UNKNOWN
               : engine_look(show->engine, span, value) ? FROTH_OK
                                                        : FROTH_NOTHING;
    }
    if (kind == FROTH_KEY && rend_show_front(engine_show(show->engine)) == NULL) {
        return FROTH_NOTHING;
    }
    *value = engine_tell(show->engine, command);
    return FROTH_OK;
}

int froth_do(froth *show, const char *words)
{
    struct engine_call call;
    if (show == NULL || words == NULL) {
        return FROTH_BAD_ARGUMENT;
    }
    const locale_t former = uselocale(show->plain);
    int result = FROTH_UNKNOWN;
    if (engine_call_parse(&call, &engine_vocabulary, base_span_of(words), (struct base_place){0},
                          &show->sink) == 0) {
        result = obey(show, &call);
    }
    (void)uselocale(former);
    return result;
}

const char *froth_transition_name(size_t index)
{
    return index < REND_TRANSITIONS ? rend_transition_name((enum rend_transition)index) : NULL;
}

size_t froth_variables(const froth *show, struct froth_variable *variables, size_t most)
{
    static_assert(sizeof(struct froth_variable) == sizeof(struct rend_variable_view) &&
                      offsetof(struct froth_variable, value) ==
                          offsetof(struct rend_variable_view, value),
                  "one is the other");
    if (show == NULL || (variables == NULL && most > 0)) {
        return 0;
    }
    const struct rend *front = rend_show_front(engine_show(show->engine));
    struct rend_variable_view *views = (struct rend_variable_view *)variables;
    const size_t count = front != NULL ? rend_variables(front, views, most) : 0;
    for (size_t i = 0; i < count && i < most; i++) {
        variables[i].name[sizeof variables[i].name - 1] = '\0';
    }
    return count;
}
