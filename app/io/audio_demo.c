/* Instruments of the built-in tune. Each adds one block of sound; none remembers anything, so that
 * every block can be computed by itself. Times are in seconds since the start of the note. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio_source.h"
#include "base/fmath.h"

enum {
    BLOCK = 128, /* frames */
    PARTIALS = 8,
    NOISE_PAST = 16,
};

struct bus {
    double left[BLOCK];
    double right[BLOCK];
};

/* White noise of a block; the block begins at [NOISE_PAST], before it is its past. */
struct noise {
    double left[BLOCK + NOISE_PAST];
    double right[BLOCK + NOISE_PAST];
};

/* Loudness of each side. */
struct gain {
    double left;
    double right;
};

/* A sum of harmonics whose loudness goes in a straight line through the block. */
struct tone {
    double cycles;    /* phase at the start of the block, in cycles */
    double frequency; /* Hz; partials at or over half the sample rate must be left out */
    int partials;     /* 1..PARTIALS */
    double from[PARTIALS];
    double to[PARTIALS];
    struct gain gain;
};

/* Sets the loudness of all partials at both ends of the block: partial n gets
 * loudness * brightness^(n-1). */
struct shape {
    double loudness;
    double brightness;
};

/* Noise of which the copy `delay` frames earlier is taken away: the smaller the delay, the
 * brighter. loudness goes in a straight line through the block. delay: 1..NOISE_PAST - 1.
 */
struct hiss {
    int delay;
    double from;
    double to;
    struct gain gain;
};

static const double two_pi = 6.283185307179586;
static const double frame_seconds = 1.0 / APP_AUDIO_RATE;

static void set_shape(struct tone *tone, struct shape from, struct shape to)
{
    for (int i = 0; i < tone->partials; i++) {
        tone->from[i] = from.loudness;
        tone->to[i] = to.loudness;
        from.loudness *= from.brightness;
        to.loudness *= to.brightness;
    }
}

struct wave {
    double sine[BLOCK];
    double cosine[BLOCK];
};

/* Four points are computed, and turned on by four frames again and again. */
static void make_wave(struct wave *wave, double start, double turn)
{
    enum { STRIDE = 4 };
    for (int i = 0; i < STRIDE; i++) {
        wave->sine[i] = base_sin(start + i * turn);
        wave->cosine[i] = base_cos(start + i * turn);
    }
    const double turn_sine = base_sin(STRIDE * turn);
    const double turn_cosine = base_cos(STRIDE * turn);
    for (int i = STRIDE; i < BLOCK; i++) {
        const double sine = wave->sine[i - STRIDE];
        const double cosine = wave->cosine[i - STRIDE];
        wave->sine[i] = sine * turn_cosine + cosine * turn_sine;
        wave->cosine[i] = cosine * turn_cosine - sine * turn_sine;
    }
}

static void add_tone(struct bus *bus, const struct tone *tone)
{
    assert(tone->partials >= 1 && tone->partials <= PARTIALS);
    struct wave wave;
    make_wave(&wave, two_pi * (tone->cycles - floor(tone->cycles)),
              two_pi * tone->frequency * frame_seconds);
    double newer[BLOCK] = {0.0};
    double older[BLOCK] = {0.0};
    for (int n = tone->partials - 1; n >= 0; n--) {
        /* Partial n + 1 with Clenshaw's recurrence, for the whole block: newer and older are the
         * sums of the two partials above. */
        const double change = (tone->to[n] - tone->from[n]) * (1.0 / BLOCK);
        for (int i = 0; i < BLOCK; i++) {
            const double sum =
                tone->from[n] + change * i + 2.0 * wave.cosine[i] * newer[i] - older[i];
            older[i] = newer[i];
            newer[i] = sum;
        }
    }
    for (int i = 0; i < BLOCK; i++) {
        const double value = newer[i] * wave.sine[i];
        bus->left[i] += value * tone->gain.left;
        bus->right[i] += value * tone->gain.right;
    }
}

/* A drum: a sine falling from a high to a low pitch. */
static void add_kick(struct bus *bus, double time, double loudness)
{
    static const double low = 47.0;     /* Hz */
    static const double fall = 190.0;   /* Hz above it at the start */
    static const double speed = 32.0;   /* of the fall, 1/s */
    static const double decay = 7.5;    /* 1/s */
    static const double attack = 800.0; /* 1/s */
    const double fall_step = base_exp(-speed * frame_seconds);
    const double decay_step = base_exp(-decay * frame_seconds);
    double fallen = base_exp(-speed * time);
    double level = loudness * base_exp(-decay * time);
    for (int i = 0; i < BLOCK; i++) {
        const double cycles = low * time + fall / speed * (1.0 - fallen);
        const double rise = time * attack < 1.0 ? time * attack : 1.0;
        const double value = level * rise * base_sin(two_pi * cycles);
        bus->left[i] += value;
        bus->right[i] += value;
        time += frame_seconds;
        fallen *= fall_step;
        level *= decay_step;
    }
}

static void add_hiss(struct bus *bus, const struct noise *noise, const struct hiss *hiss)
{
    assert(hiss->delay >= 1 && hiss->delay < NOISE_PAST);
    const double *left = noise->left + NOISE_PAST;
    const double *right = noise->right + NOISE_PAST;
    const double change = (hiss->to - hiss->from) * (1.0 / BLOCK);
    double level = hiss->from;
    for (int i = 0; i < BLOCK; i++) {
        bus->left[i] += level * hiss->gain.left * (left[i] - left[i - hiss->delay]);
        bus->right[i] += level * hiss->gain.right * (right[i] - right[i - hiss->delay]);
        level += change;
    }
}

/* The built-in tune: a loop of 16 bars in A minor at 120 beats a minute. Time is counted in steps
 * of a sixteenth note, and a block of sound never crosses the border between two steps. */

enum {
    BLOCKS_PER_STEP = 43,
    STEP_FRAMES = BLOCKS_PER_STEP * BLOCK,
    BAR_STEPS = 16,
    FORM_BARS = 16,
    CHORD_BARS = 4,
    CHORD_NOTES = 4,
    REST = -1,
};

enum layer {
    KICK = 1 << 0,
    CLAP = 1 << 1,
    HATS = 1 << 2,
    OPEN = 1 << 3,
    BASS = 1 << 4,
    PAD = 1 << 5,
    ARP = 1 << 6,
    LEAD = 1 << 7,
    RISER = 1 << 8,
    ROLL = 1 << 9,
    CRASH = 1 << 10,
};

static const unsigned form[FORM_BARS] = {
    KICK | HATS | BASS | PAD,
    KICK | HATS | BASS | PAD | CLAP,
    KICK | HATS | BASS | PAD | CLAP | ARP,
    KICK | HATS | BASS | PAD | CLAP | ARP,
    KICK | HATS | BASS | PAD | CLAP | ARP | OPEN | CRASH,
    KICK | HATS | BASS | PAD | CLAP | ARP | OPEN,
    KICK | HATS | BASS | PAD | CLAP | ARP | OPEN | LEAD,
    KICK | HATS | BASS | PAD | CLAP | ARP | OPEN | LEAD,
    PAD | CRASH,
    PAD | ARP,
    PAD | ARP | HATS | RISER,
    PAD | ARP | HATS | RISER | ROLL,
    KICK | HATS | BASS | PAD | CLAP | ARP | OPEN | LEAD | CRASH,
    KICK | HATS | BASS | PAD | CLAP | ARP | OPEN | LEAD,
    KICK | HATS | BASS | PAD | CLAP | ARP | OPEN | LEAD,
    KICK | HATS | BASS | PAD | ARP | OPEN | LEAD | ROLL,
};

/* Notes are MIDI numbers. */
struct chord {
    int root;
    int notes[CHORD_NOTES];
};

/* The first row for even rounds of the form, the second for odd ones. */
static const struct chord chords[2][CHORD_BARS] = {
    {{33, {57, 60, 64, 67}},
     {29, {57, 60, 64, 65}},
     {36, {55, 59, 64, 67}},
     {31, {55, 59, 62, 67}}},
    {{38, {57, 60, 62, 65}},
     {40, {55, 59, 62, 64}},
     {29, {57, 60, 64, 65}},
     {33, {57, 60, 64, 71}}},
};

/* Half tones above the root for each step of a bar. */
static const int bass_line[BAR_STEPS] = {0,    REST, 0,  0,    REST, 0, 12, REST,
                                         REST, 0,    12, REST, 0,    0, 7,  12};

/* Index of the chord's note; 4 and more: an octave up. */
static const int arp_line[2][BAR_STEPS] = {
    {0, 2, 1, 4, 2, 3, 5, 1, 4, 3, 2, 6, 3, 1, 5, 2},
    {3, 1, 4, 2, 5, 3, 1, 6, 4, 2, 0, 3, 5, 1, 2, 4},
};

/* The lead's melody: where in four bars a note begins, how many steps it lasts. */
struct lead_note {
    int step;
    int length;
    int note;
};

static const struct lead_note lead_line[] = {
    {0, 6, 76},  {6, 2, 74},  {8, 4, 72},  {12, 3, 69}, {16, 6, 72},
    {22, 2, 74}, {24, 6, 76}, {32, 3, 79}, {35, 3, 76}, {38, 6, 74},
    {46, 2, 72}, {48, 8, 74}, {56, 2, 71}, {58, 2, 74}, {60, 4, 79},
};

/* A drum or cymbal made of noise: loudness per step 0..9, and how it sounds. */
struct percussion {
    unsigned layer;
    const char *pattern; /* BAR_STEPS digits */
    int steps;           /* how long it is heard */
    int delay;           /* of struct hiss */
    double decay;        /* 1/s */
    struct gain gain;
};

static const struct percussion percussions[] = {
    {HATS, "4161426141614263", 1, 1, 45.0, {0.20, 0.30}},
    {HATS, "0002000300020004", 1, 1, 60.0, {0.34, 0.08}},
    {OPEN, "0070007000700070", 2, 1, 15.0, {0.22, 0.16}},
    {CLAP, "0000900000009000", 3, 9, 24.0, {0.22, 0.22}},
    {ROLL, "2233334455667789", 1, 7, 30.0, {0.20, 0.16}},
    {CRASH, "9000000000000000", 16, 2, 2.6, {0.13, 0.17}},
};

static const char kick_pattern[] = "9000900090009000";

struct tune {
    struct app_audio audio;
    uint64_t next;       /* frame */
    uint64_t block;      /* the one in `sound` */
    bool rendered;       /* there is one */
    double pitches[128]; /* Hz, of each note */
    float sound[2 * BLOCK];
};

/* One block in the making. */
struct session {
    const struct tune *tune;
    uint64_t step;
    double into_step; /* seconds from the step's start to the block's */
    struct noise noise;
    struct bus dry;
    struct bus ducked; /* gives way to the kick */
};

static const double step_seconds = (double)STEP_FRAMES / APP_AUDIO_RATE;
static const double block_seconds = (double)BLOCK / APP_AUDIO_RATE;

static unsigned layers_at(uint64_t step)
{
    return form[step / BAR_STEPS % FORM_BARS];
}

static const struct chord *chord_at(uint64_t step)
{
    return &chords[step / (BAR_STEPS * FORM_BARS) % 2][step / BAR_STEPS % CHORD_BARS];
}

/* The latest stroke within the last `steps` steps: its loudness, 0 if there is none, and age. */
static double latest_strike(const struct session *session, unsigned layer, const char *pattern,
                            int steps, double *age)
{
    for (int back = 0; back < steps && (uint64_t)back <= session->step; back++) {
        const uint64_t step = session->step - (uint64_t)back;
        const bool plays = (layers_at(step) & layer) != 0;
        const double loudness = plays ? (pattern[step % BAR_STEPS] - '0') / 9.0 : 0.0;
        if (loudness > 0.0) {
            *age = back * step_seconds + session->into_step;
            return loudness;
        }
    }
    return 0.0;
}

static double smallest(double a, double b)
{
    return a < b ? a : b;
}

/* Rises in `attack` seconds and is gone at `end`. */
static double fade(double age, double attack, double end, double release)
{
    if (age >= end) {
        return 0.0;
    }
    return smallest(1.0, smallest(age / attack, (end - age) / release));
}

static void play_percussion(struct session *session, const struct percussion *percussion)
{
    double age = 0.0;
    const double loudness =
        latest_strike(session, percussion->layer, percussion->pattern, percussion->steps, &age);
    if (loudness == 0.0) {
        return;
    }
    const double end = percussion->steps * step_seconds;
    const double later = age + block_seconds;
    const struct hiss hiss = {
        .delay = percussion->delay,
        .from = loudness * base_exp(-percussion->decay * age) * fade(age, 1e-4, end, 0.02),
        .to = loudness * base_exp(-percussion->decay * later) * fade(later, 1e-4, end, 0.02),
        .gain = percussion->gain,
    };
    add_hiss(&session->dry, &session->noise, &hiss);
}

/* Noise that swells through the two bars before the drop. */
static void play_riser(struct session *session)
{
    if ((layers_at(session->step) & RISER) == 0) {
        return;
    }
    const double length = 2 * BAR_STEPS * step_seconds;
    const double age =
        (double)(session->step % (2 * BAR_STEPS)) * step_seconds + session->into_step;
    const double from = age / length;
    const double to = (age + block_seconds) / length;
    const double swing = base_sin(9.0 * from * from * 6.283185307179586);
    const struct hiss hiss = {
        .delay = 3,
        .from = 0.16 * from * from,
        .to = 0.16 * to * to,
        .gain = {0.6 + 0.4 * swing, 0.6 - 0.4 * swing},
    };
    add_hiss(&session->ducked, &session->noise, &hiss);
}

static struct shape bass_shape(double age, double openness)
{
    const double end = step_seconds * 0.97;
    return (struct shape){
        .loudness = 0.30 * fade(age, 0.003, end, 0.012),
        .brightness = 0.35 + (0.30 + 0.15 * openness) * base_exp(-14.0 * age),
    };
}

static void play_bass(struct session *session)
{
    const int offset = bass_line[session->step % BAR_STEPS];
    if ((layers_at(session->step) & BASS) == 0 || offset == REST) {
        return;
    }
    const double age = session->into_step;
    const double openness = (double)(session->step / BAR_STEPS % FORM_BARS) / FORM_BARS;
    struct tone tone = {
        .frequency = session->tune->pitches[chord_at(session->step)->root + offset],
        .partials = 7,
        .gain = {1.0, 1.0},
    };
    tone.cycles = tone.frequency * age;
    set_shape(&tone, bass_shape(age, openness), bass_shape(age + block_seconds, openness));
    add_tone(&session->ducked, &tone);
}

/* The pad opens up over four bars and closes again. */
static struct shape pad_shape(double age, double bars)
{
    const double end = BAR_STEPS * step_seconds;
    return (struct shape){
        .loudness = 0.062 * fade(age, 0.025, end, 0.02),
        .brightness = 0.38 - 0.22 * base_cos(1.5707963267948966 * bars),
    };
}

static void play_pad(struct session *session)
{
    if ((layers_at(session->step) & PAD) == 0) {
        return;
    }
    const double age = (double)(session->step % BAR_STEPS) * step_seconds + session->into_step;
    const double bar = (double)(session->step / BAR_STEPS % CHORD_BARS);
    const double bar_seconds = BAR_STEPS * step_seconds;
    const struct shape from = pad_shape(age, bar + age / bar_seconds);
    const double later = age + block_seconds;
    const struct shape to = pad_shape(later, bar + later / bar_seconds);
    const struct chord *chord = chord_at(session->step);
    for (int i = 0; i < 2 * CHORD_NOTES; i++) {
        const double pitch = session->tune->pitches[chord->notes[i / 2]];
        const bool left = i % 2 == 0;
        struct tone tone = {
            .frequency = pitch * (left ? 0.9975 : 1.0025),
            .partials = 4,
            .gain = {left ? 1.0 : 0.15, left ? 0.15 : 1.0},
        };
        tone.cycles = tone.frequency * age + 0.37 * i;
        set_shape(&tone, from, to);
        add_tone(&session->ducked, &tone);
    }
}

enum { PLUCK_STEPS = 2 };

static struct shape pluck_shape(double age, double loudness)
{
    return (struct shape){
        .loudness =
            loudness * base_exp(-13.0 * age) * fade(age, 0.002, PLUCK_STEPS * step_seconds, 0.05),
        .brightness = 0.15 + 0.4 * base_exp(-20.0 * age),
    };
}

/* The arpeggio heard `delay` steps late. */
static void play_arp_echo(struct session *session, uint64_t delay, double loudness,
                          struct gain gain)
{
    for (uint64_t back = 0; back < PLUCK_STEPS; back++) {
        if (session->step < back + delay) {
            return;
        }
        const uint64_t step = session->step - back - delay;
        if ((layers_at(step) & ARP) == 0) {
            continue;
        }
        const double age = (double)back * step_seconds + session->into_step;
        const int index = arp_line[step / BAR_STEPS % 2][step % BAR_STEPS];
        const int note = chord_at(step)->notes[index % CHORD_NOTES];
        const int octave = 1 + index / CHORD_NOTES;
        struct tone tone = {
            .frequency = session->tune->pitches[note + 12 * octave], .partials = 4, .gain = gain};
        tone.cycles = tone.frequency * age;
        set_shape(&tone, pluck_shape(age, loudness), pluck_shape(age + block_seconds, loudness));
        add_tone(&session->ducked, &tone);
    }
}

static struct shape lead_shape(double age, double end)
{
    return (struct shape){
        .loudness = 0.095 * fade(age, 0.012, end, 0.06) * (0.6 + 0.4 * base_exp(-4.0 * age)),
        .brightness = 0.30 + 0.25 * base_exp(-6.0 * age),
    };
}

/* Two tones a little apart, and the same three steps later, softer. */
static void play_lead_echo(struct session *session, uint64_t delay, double loudness)
{
    const uint64_t step = session->step - delay;
    const int place = (int)(step % (CHORD_BARS * BAR_STEPS));
    const struct lead_note *note = NULL;
    for (size_t i = 0; session->step >= delay && i < sizeof lead_line / sizeof *lead_line; i++) {
        const struct lead_note *other = &lead_line[i];
        if (note == NULL && place >= other->step && place < other->step + other->length) {
            note = other;
        }
    }
    if (note == NULL || (layers_at(step) & LEAD) == 0) {
        return;
    }
    const int late = place - note->step;
    const double age = late * step_seconds + session->into_step;
    const double end = note->length * step_seconds;
    for (int side = 0; side < 2; side++) {
        struct tone tone = {
            .frequency = session->tune->pitches[note->note] * (side == 0 ? 0.998 : 1.002),
            .partials = 5,
            .gain = {side == 0 ? loudness : 0.3 * loudness, side == 0 ? 0.3 * loudness : loudness},
        };
        tone.cycles = tone.frequency * age;
        set_shape(&tone, lead_shape(age, end), lead_shape(age + block_seconds, end));
        add_tone(&session->ducked, &tone);
    }
}

/* How far the rest of the band is pressed down: 0 at a stroke of the kick, 1 long after. */
static double give_way(const struct session *session, double later)
{
    double age = 0.0;
    const double loudness = latest_strike(session, KICK, kick_pattern, 8, &age);
    return loudness == 0.0 ? 1.0 : 1.0 - 0.65 * base_exp(-10.0 * (age + later));
}

/* Bends smoothly towards +-1 (a Pade fraction of tanh), which it reaches at +-3. */
static double soft_limit(double x)
{
    if (x > 3.0 || x < -3.0) {
        return x > 0.0 ? 1.0 : -1.0;
    }
    return x * (27.0 + x * x) / (27.0 + 9.0 * x * x);
}

static void render_block(struct tune *tune, uint64_t block)
{
    struct session session = {
        .tune = tune,
        .step = block / BLOCKS_PER_STEP,
        .into_step = (double)(block % BLOCKS_PER_STEP) * block_seconds,
    };
    const uint32_t first = (uint32_t)(block * BLOCK) - NOISE_PAST;
    for (uint32_t i = 0; i < BLOCK + NOISE_PAST; i++) {
        session.noise.left[i] = app_audio_noise(first + i);
        session.noise.right[i] = app_audio_noise(first + i + 0x85ebca6bu);
    }
    double age = 0.0;
    const double loudness = latest_strike(&session, KICK, kick_pattern, 4, &age);
    if (loudness > 0.0) {
        add_kick(&session.dry, age, 0.85 * loudness);
    }
    for (size_t i = 0; i < sizeof percussions / sizeof *percussions; i++) {
        play_percussion(&session, &percussions[i]);
    }
    play_riser(&session);
    play_bass(&session);
    play_pad(&session);
    const double side = session.step % 2 == 0 ? 0.25 : -0.25;
    play_arp_echo(&session, 0, 0.13, (struct gain){0.7 + side, 0.7 - side});
    play_arp_echo(&session, 3, 0.07, (struct gain){1.0, 0.1});
    play_arp_echo(&session, 6, 0.045, (struct gain){0.1, 1.0});
    play_lead_echo(&session, 0, 1.0);
    play_lead_echo(&session, 3, 0.4);
    const double from = give_way(&session, 0.0);
    const double change = (give_way(&session, block_seconds) - from) / BLOCK;
    for (int i = 0; i < BLOCK; i++) {
        const double duck = from + change * i;
        const double left = session.dry.left[i] + duck * session.ducked.left[i];
        const double right = session.dry.right[i] + duck * session.ducked.right[i];
        tune->sound[2 * i] = (float)(0.97 * soft_limit(left));
        tune->sound[2 * i + 1] = (float)(0.97 * soft_limit(right));
    }
    tune->block = block;
    tune->rendered = true;
}

static size_t demo_read(struct app_audio *audio, float *interleaved, size_t frames)
{
    struct tune *tune = (struct tune *)audio;
    size_t filled = 0;
    while (filled < frames) {
        const uint64_t block = tune->next / BLOCK;
        const size_t first = (size_t)(tune->next % BLOCK);
        if (!tune->rendered || tune->block != block) {
            render_block(tune, block);
        }
        const size_t rest = BLOCK - first;
        const size_t count = rest < frames - filled ? rest : frames - filled;
        memcpy(interleaved + 2 * filled, tune->sound + 2 * first, 2 * count * sizeof *interleaved);
        filled += count;
        tune->next += count;
    }
    return frames;
}

static int demo_seek(struct app_audio *audio, uint64_t frame)
{
    ((struct tune *)audio)->next = frame;
    return 0;
}

static void demo_close(struct app_audio *audio)
{
    free(audio);
}

static const struct app_audio_kind demo_kind = {demo_read, demo_seek, demo_close};

struct app_audio *app_audio_open_demo(const struct base_diag_sink *sink)
{
    struct tune *tune = calloc(1, sizeof *tune);
    if (tune == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        return NULL;
    }
    tune->audio.kind = &demo_kind;
    tune->audio.seconds = -1.0;
    for (int note = 0; note < 128; note++) {
        tune->pitches[note] = 440.0 * base_pow(2.0, (note - 69) / 12.0);
    }
    return &tune->audio;
}
