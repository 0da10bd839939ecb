#include "engine/midi/control.h"

#include <math.h>

enum {
    HALF = 32,
    DATA_COARSE = 6,
    DATA_FINE = 38,
    DATA_MORE = 96,
    DATA_LESS = 97,
    SELECT_FINE = 98,
    SELECT_COARSE = 99,
    OTHER_FINE = 100,
    OTHER_COARSE = 101,
    BANK_COARSE = 0,
    BANK_FINE = 0, /* of the lower halves */
    NONE = 127,    /* with both halves: no parameter */
    MOST = 127,
    MOST14 = 16383,
    MIDDLE = 64,
};

const char *const engine_midi_mode_names[ENGINE_MIDI_MODES] = {
#define ENGINE_MIDI_MODE(id, name, help) [ENGINE_MIDI_MODE_##id] = name,
#include "engine/midi/modes.def"
};

bool engine_midi_same(const struct engine_midi_control *a, const struct engine_midi_control *b)
{
    return a->part == b->part && a->number == b->number &&
           (a->channel == b->channel || a->channel == 0 || b->channel == 0);
}

/* ---- what moves ---- */

/* Two halves of a number, one more than each; fine may be missing. */
static void join(struct engine_midi_move *move, uint8_t coarse, uint8_t fine)
{
    if (fine == 0) {
        move->raw = (uint32_t)(coarse - 1) << 7;
        move->place = (coarse - 1) / (double)MOST;
    } else {
        move->raw = ((uint32_t)(coarse - 1) << 7) + fine - 1u;
        move->place = move->raw / (double)MOST14;
    }
}

static void select_parameter(struct engine_midi_channel *channel, unsigned half, uint8_t value)
{
    if (channel->select[half] != value + 1) {
        channel->select[half] = (uint8_t)(value + 1);
        channel->data[0] = channel->data[1] = 0;
    }
}

/* What a data controller makes of the parameter that is chosen; false: nothing. */
static bool move_parameter(struct engine_midi_channel *channel, uint8_t number, uint8_t value,
                           struct engine_midi_move *move)
{
    const uint8_t *select = channel->select;
    const bool nothing = select[0] == NONE + 1 && select[1] == NONE + 1;
    if (select[0] == 0 || select[1] == 0 || nothing) {
        return false;
    }
    if (number == DATA_COARSE || number == DATA_FINE) {
        channel->data[number == DATA_FINE] = (uint8_t)(value + 1);
    } else if (channel->data[0] != 0) {
        const int at =
            (channel->data[0] - 1) * 128 + (channel->data[1] > 0 ? channel->data[1] - 1 : 0);
        const int step = number == DATA_MORE ? 1 : -1;
        const int to = at + step < 0 ? 0 : at + step > MOST14 ? MOST14 : at + step;
        channel->data[0] = (uint8_t)(to / 128 + 1);
        channel->data[1] = (uint8_t)(to % 128 + 1);
    }
    move->control.part = ENGINE_MIDI_IS_NRPN;
    move->control.number = (uint16_t)((select[0] - 1) * 128 + select[1] - 1);
    if (channel->data[0] != 0) {
        join(move, channel->data[0], channel->data[1]);
    }
    return channel->data[0] != 0;
}

static size_t move_controller(struct engine_midi_channel *channel,
                              const struct engine_midi_message *message,
                              struct engine_midi_move *moves)
{
    const uint8_t number = message->data[0];
    const uint8_t value = message->data[1];
    size_t count = 0;
    struct engine_midi_move move = {
        {ENGINE_MIDI_IS_CONTROLLER, message->channel, number}, value, value / (double)MOST};
    moves[count++] = move;
    if (number < 2 * HALF) {
        (number < HALF ? channel->coarse : channel->fine)[number % HALF] = (uint8_t)(value + 1);
        move.control.part = ENGINE_MIDI_IS_CONTROLLER14;
        move.control.number = number % HALF;
        if (channel->coarse[number % HALF] != 0) {
            join(&move, channel->coarse[number % HALF], channel->fine[number % HALF]);
            moves[count++] = move;
        }
    }
    if (number == SELECT_COARSE || number == SELECT_FINE) {
        select_parameter(channel, number == SELECT_FINE, value);
    } else if (number == OTHER_COARSE || number == OTHER_FINE) {
        channel->select[0] = channel->select[1] = 0;
    } else if (number == DATA_COARSE || number == DATA_FINE || number == DATA_MORE ||
               number == DATA_LESS) {
        count += move_parameter(channel, number, value, &move) ? 1 : 0;
        moves[count - 1] = move.control.part == ENGINE_MIDI_IS_NRPN ? move : moves[count - 1];
    }
    return count;
}

size_t engine_midi_moves(struct engine_midi_device *device,
                         const struct engine_midi_message *message,
                         struct engine_midi_move moves[ENGINE_MIDI_MOVES])
{
    if (message->channel == 0 || message->channel > ENGINE_MIDI_CHANNELS) {
        return 0;
    }
    struct engine_midi_channel *channel = &device->channels[message->channel - 1];
    struct engine_midi_move *move = &moves[0];
    *move = (struct engine_midi_move){.control = {.channel = message->channel}};
    switch (message->kind) {
    case ENGINE_MIDI_CONTROL:
        return move_controller(channel, message, moves);
    case ENGINE_MIDI_NOTE_ON:
    case ENGINE_MIDI_NOTE_OFF:
        move->control.part = ENGINE_MIDI_IS_NOTE;
        move->control.number = message->data[0];
        move->raw = message->kind == ENGINE_MIDI_NOTE_ON ? message->data[1] : 0;
        move->place = move->raw / (double)MOST;
        return 1;
    case ENGINE_MIDI_PROGRAM: {
        const uint8_t coarse = channel->coarse[BANK_COARSE];
        const uint8_t fine = channel->fine[BANK_FINE];
        const uint32_t high = coarse > 0 ? coarse - 1u : 0;
        const uint32_t bank = fine > 0 ? high * 128 + fine - 1u : high;
        move->control.part = ENGINE_MIDI_IS_PROGRAM;
        move->control.number = message->data[0];
        move->raw = bank * 128 + message->data[0];
        return 1;
    }
    case ENGINE_MIDI_BEND:
        move->control.part = ENGINE_MIDI_IS_BEND;
        join(move, (uint8_t)(message->data[1] + 1), (uint8_t)(message->data[0] + 1));
        return 1;
    case ENGINE_MIDI_PRESSURE:
        move->control.part = ENGINE_MIDI_IS_PRESSURE;
        move->raw = message->data[0];
        move->place = move->raw / (double)MOST;
        return 1;
    default:
        return 0;
    }
}

/* ---- what becomes of a value ---- */

int engine_midi_steps(enum engine_midi_mode mode, uint32_t raw)
{
    const int value = (int)(raw & MOST);
    switch (mode) {
    case ENGINE_MIDI_MODE_TWOS:
        return value < MIDDLE ? value : value - 128;
    case ENGINE_MIDI_MODE_CENTRED:
        return value - MIDDLE;
    case ENGINE_MIDI_MODE_SIGN:
        return value < MIDDLE ? value : MIDDLE - value;
    default:
        return 0;
    }
}

/* Whether this move presses it: of a note each that begins, else what passes the middle. */
static bool press(struct engine_midi_taker *taker, const struct engine_midi_move *move)
{
    const bool of_note = move->control.part == ENGINE_MIDI_IS_NOTE;
    const bool of_program = move->control.part == ENGINE_MIDI_IS_PROGRAM;
    const bool down = of_note ? move->raw > 0 : of_program || move->place >= 0.5;
    const bool presses = down && (!taker->down || of_note || of_program);
    taker->down = down;
    return presses;
}

/* Where the value stands, or will stand once what was given has come there. */
static double base_of(const struct engine_midi_taker *taker, const struct engine_midi_stand *stand)
{
    const bool on_its_way = taker->gave && stand->turn < taker->turn + 2;
    return on_its_way ? taker->given : stand->place;
}

static bool picks_up(const struct engine_midi_taker *taker, const struct engine_midi_stand *stand,
                     double place)
{
    const double at = base_of(taker, stand);
    const double near = fmax(1.0 / MOST, stand->fineness) + 1e-9;
    if (stand->turn == 0 || (taker->gave && fabs(at - taker->given) <= near)) {
        return true;
    }
    return fabs(place - at) <= near || (taker->placed && (taker->place < at) != (place < at));
}

bool engine_midi_take(struct engine_midi_taker *taker, enum engine_midi_mode mode, double step,
                      const struct engine_midi_move *move, const struct engine_midi_stand *stand,
                      double *place)
{
    const bool of_note = move->control.part == ENGINE_MIDI_IS_NOTE;
    double to = move->place;
    bool sets = true;
    switch (mode) {
    case ENGINE_MIDI_MODE_PICK_UP:
    case ENGINE_MIDI_MODE_JUMP:
        sets = of_note ? press(taker, move)
                       : mode == ENGINE_MIDI_MODE_JUMP || picks_up(taker, stand, to);
        taker->placed = true;
        taker->place = to;
        break;
    case ENGINE_MIDI_MODE_TOGGLE:
        sets = press(taker, move);
        to = base_of(taker, stand) < 0.5;
        break;
    case ENGINE_MIDI_MODE_HOLD:
        (void)press(taker, move);
        to = taker->down;
        break;
    case ENGINE_MIDI_MODE_TRIGGER:
        sets = press(taker, move);
        to = 1;
        break;
    default: {
        const int steps = engine_midi_steps(mode, move->raw);
        sets = steps != 0;
        to = fmin(fmax(base_of(taker, stand) + step * steps, 0), 1);
    }
    }
    const bool picks = mode == ENGINE_MIDI_MODE_PICK_UP;
    taker->gave = sets || (taker->gave && !picks);
    if (sets) {
        taker->given = to;
        taker->turn = stand->turn;
        *place = to;
    }
    return sets;
}

int engine_midi_presses(struct engine_midi_taker *taker, enum engine_midi_mode mode,
                        const struct engine_midi_move *move)
{
    const bool encoder = mode == ENGINE_MIDI_MODE_TWOS || mode == ENGINE_MIDI_MODE_CENTRED ||
                         mode == ENGINE_MIDI_MODE_SIGN;
    return encoder ? engine_midi_steps(mode, move->raw) : press(taker, move);
}

/* ---- which it is ---- */

enum region { LOW = 1, HIGH = 2, OVER = 4, UNDER = 8, ELSEWHERE = 16 };
enum { REACH = 16, JUMPED = 48, REPEATS = 2, TURNS = 4, PAIRS = 3 };

/* Which steps of an encoder a number may be: few onward or back, by the three ways of writing them.
 */
static uint8_t region_of(uint32_t raw)
{
    if (raw >= 1 && raw <= REACH) {
        return LOW;
    }
    if (raw >= MIDDLE - REACH && raw < MIDDLE) {
        return UNDER;
    }
    if (raw > MIDDLE && raw <= MIDDLE + REACH) {
        return OVER;
    }
    return raw >= 128 - REACH ? HIGH : ELSEWHERE;
}

/* What a controller of 7 bits seems to be. */
static void judge(struct engine_midi_learner *learner)
{
    static const struct {
        uint8_t regions;
        enum engine_midi_mode mode;
        bool both_ways;
    } encoders[] = {
        {LOW, ENGINE_MIDI_MODE_TWOS, true},         {HIGH, ENGINE_MIDI_MODE_TWOS, false},
        {LOW | HIGH, ENGINE_MIDI_MODE_TWOS, false}, {OVER, ENGINE_MIDI_MODE_CENTRED, true},
        {UNDER, ENGINE_MIDI_MODE_CENTRED, false},   {OVER | UNDER, ENGINE_MIDI_MODE_CENTRED, false},
        {LOW | OVER, ENGINE_MIDI_MODE_SIGN, false},
    };
    const bool turns = learner->repeats >= REPEATS || (learner->apart && learner->count >= TURNS);
    learner->mode = ENGINE_MIDI_MODE_PICK_UP;
    learner->both_ways = false;
    if (!learner->varies && learner->first >= MIDDLE && (learner->zero || learner->count == 1)) {
        learner->mode = ENGINE_MIDI_MODE_TOGGLE;
        return;
    }
    for (size_t i = 0; turns && !learner->zero && i < sizeof encoders / sizeof *encoders; i++) {
        if (learner->regions == encoders[i].regions) {
            learner->mode = encoders[i].mode;
            learner->both_ways = encoders[i].both_ways;
        }
    }
}

static void watch(struct engine_midi_learner *learner, const struct engine_midi_move *move)
{
    const uint8_t raw = (uint8_t)move->raw;
    const int change = (int)raw - (int)learner->last;
    if (learner->count > 0) {
        learner->repeats = (uint16_t)(learner->repeats + (change == 0 && learner->repeats < 1000));
        learner->apart = learner->apart || change >= JUMPED || change <= -JUMPED;
    }
    learner->zero = learner->zero || raw == 0;
    learner->first = learner->first == 0 ? raw : learner->first;
    learner->varies = learner->varies || (raw != 0 && raw != learner->first);
    learner->regions |= raw == 0 ? 0 : region_of(raw);
    learner->last = raw;
    learner->count = (uint16_t)(learner->count + (learner->count < 1000));
    judge(learner);
}

/* Whether the controller is the other half of the one before, once more. */
static bool pairs_up(struct engine_midi_learner *learner, const struct engine_midi_control *now)
{
    const struct engine_midi_control *before = &learner->before;
    const bool pair =
        before->part == now->part && before->channel == now->channel &&
        (before->number == now->number + HALF || now->number == before->number + HALF) &&
        before->number < 2 * HALF && now->number < 2 * HALF;
    learner->pairs = (uint16_t)(pair ? learner->pairs + (learner->pairs < PAIRS) : 0);
    learner->before = *now;
    return learner->pairs >= PAIRS;
}

void engine_midi_learn(struct engine_midi_learner *learner, const struct engine_midi_move *moves,
                       size_t count)
{
    if (count == 0) {
        return;
    }
    const struct engine_midi_move *move = &moves[0];
    const struct engine_midi_move *last = &moves[count - 1];
    const uint16_t number = move->control.number;
    if (move->control.part == ENGINE_MIDI_IS_CONTROLLER) {
        const bool pair = pairs_up(learner, &move->control);
        if (number >= SELECT_FINE && number <= OTHER_COARSE) {
            return;
        }
        if (last->control.part == ENGINE_MIDI_IS_NRPN) {
            move = last;
        } else if (pair && count > 1) {
            move = &moves[1]; /* both halves have come */
        }
    }
    const bool ends = move->control.part == ENGINE_MIDI_IS_NOTE && move->raw == 0;
    if (ends || move->control.part == ENGINE_MIDI_IS_PROGRAM) {
        return;
    }
    if (!engine_midi_same(&learner->control, &move->control)) {
        const struct engine_midi_learner fresh = {
            .control = move->control, .before = learner->before, .pairs = learner->pairs};
        *learner = fresh;
    }
    if (move->control.part == ENGINE_MIDI_IS_CONTROLLER) {
        watch(learner, move);
    } else {
        learner->mode = move->control.part == ENGINE_MIDI_IS_NOTE ? ENGINE_MIDI_MODE_TOGGLE
                                                                  : ENGINE_MIDI_MODE_PICK_UP;
        learner->count = (uint16_t)(learner->count + (learner->count < 1000));
    }
}
