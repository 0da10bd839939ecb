#include "board/twin/account.h"

#include <stdlib.h>
#include <string.h>

enum {
    LAGS = sizeof((struct board_twin_account *)0)->lags / sizeof(uint64_t),
    TRANSACTION_BITS = 4 * 64,
};

uint64_t board_twin_bus_accesses(const struct board_twin *board)
{
    const struct tmu_sim_report *mapper = &board->tmu.bus;
    return board->memory.bus.accesses + mapper->bus_accesses - mapper->scans;
}

uint64_t board_twin_bus_busy(const struct board_twin *board)
{
    const struct tmu_sim_report *mapper = &board->tmu.bus;
    return board->memory.bus.busy + mapper->bus_busy - mapper->scan_busy;
}

void board_twin_account_settle(struct board_twin *board)
{
    struct board_twin_account *account = &board->account;
    account->teams[account->team] += board->cpu.cycles - account->since;
    account->since = board->cpu.cycles;
    const unsigned lights = board->system.leds & (BOARD_TWIN_SHOW | BOARD_TWIN_PROGRAM);
    account->team = lights | (board->pfpu.busy ? (unsigned)BOARD_TWIN_PFPU : 0) |
                    (board->tmu.busy ? (unsigned)BOARD_TWIN_TMU : 0);
}

void board_twin_account_present(struct board_twin *board)
{
    struct board_twin_account *account = &board->account;
    account->presented++;
    if (board->tmu.runs == 0) {
        return;
    }
    struct board_twin_sums now = {
        .cycles = board->cpu.cycles,
        .instructions = board->cpu.instructions,
        .accesses = board_twin_bus_accesses(board),
        .busy = board_twin_bus_busy(board),
        .scans = board->memory.bus.scans,
        .blocks = board->ac97.blocks,
        .presented = account->presented,
        .replaced = board->vga.replaced,
        .pfpu_runs = board->pfpu.runs,
        .tmu_runs = board->tmu.runs,
        .pixels = board->tmu.pixels,
    };
    memcpy(now.teams, account->teams, sizeof now.teams);
    now.teams[account->team] += board->cpu.cycles - account->since;
    const uint64_t lag = now.blocks > now.presented ? now.blocks - now.presented : 0;
    if (account->first.presented == 0) {
        account->first = now;
        account->last = now;
        account->lag = lag;
    }
    const uint64_t number = now.presented - account->first.presented;
    const uint64_t gap = now.cycles - account->last.cycles;
    account->gap = gap > account->gap ? gap : account->gap;
    account->lag = number < LAGS && lag < account->lag ? lag : account->lag;
    account->lags[number % LAGS] = lag;
    account->last = now;
}

void board_twin_account_seen(struct board_twin *board)
{
    struct board_twin_account *account = &board->account;
    if (account->first_seen == 0 && account->first.presented > 0) {
        account->first_seen = board->cpu.cycles;
    }
}

static uint64_t left_out(const struct board_twin_account *account)
{
    const uint64_t number = account->last.presented - account->first.presented + 1;
    uint64_t lag = account->lags[0];
    for (unsigned i = 1; i < LAGS && i < number; i++) {
        lag = account->lags[i] < lag ? account->lags[i] : lag;
    }
    return lag > account->lag ? lag - account->lag : 0;
}

/* How many of processor, PFPU and TMU work. */
static unsigned size_of(unsigned team)
{
    const unsigned cpu = (team & (BOARD_TWIN_SHOW | BOARD_TWIN_PROGRAM)) != 0 ? 1 : 0;
    const unsigned pfpu = (team & BOARD_TWIN_PFPU) != 0 ? 1 : 0;
    return cpu + pfpu + ((team & BOARD_TWIN_TMU) != 0 ? 1 : 0);
}

struct board_twin_show board_twin_account_show(const struct board_twin *board)
{
    const struct board_twin_account *account = &board->account;
    struct board_twin_show show = {.first_picture = (double)account->first_seen / BOARD_TWIN_CLOCK};
    if (account->last.cycles == account->first.cycles) {
        return show;
    }
    const struct board_twin_sums *first = &account->first;
    const struct board_twin_sums *last = &account->last;
    show.sums = (struct board_twin_sums){
        .cycles = last->cycles - first->cycles,
        .instructions = last->instructions - first->instructions,
        .accesses = last->accesses - first->accesses,
        .busy = last->busy - first->busy,
        .scans = last->scans - first->scans,
        .blocks = last->blocks - first->blocks,
        .presented = last->presented - first->presented,
        .replaced = last->replaced - first->replaced,
        .pfpu_runs = last->pfpu_runs - first->pfpu_runs,
        .tmu_runs = last->tmu_runs - first->tmu_runs,
        .pixels = last->pixels - first->pixels,
    };
    const double frames = (double)show.sums.presented;
    show.seconds = (double)show.sums.cycles / BOARD_TWIN_CLOCK;
    show.pictures_per_second = frames / show.seconds;
    show.left_out = (double)left_out(account);
    show.unseen = (double)show.sums.replaced;
    show.gap = (double)account->gap;
    for (unsigned i = 0; i < BOARD_TWIN_TEAMS; i++) {
        show.sums.teams[i] = last->teams[i] - first->teams[i];
        const double cycles = (double)show.sums.teams[i] / frames;
        const unsigned lights = i & (BOARD_TWIN_SHOW | BOARD_TWIN_PROGRAM);
        show.cpu += (lights & BOARD_TWIN_SHOW) != 0 ? cycles : 0;
        show.program += lights == BOARD_TWIN_PROGRAM ? cycles : 0;
        show.pfpu += (i & BOARD_TWIN_PFPU) != 0 ? cycles : 0;
        show.tmu += (i & BOARD_TWIN_TMU) != 0 ? cycles : 0;
        show.two += size_of(i) == 2 ? cycles : 0;
        show.three += size_of(i) == 3 ? cycles : 0;
    }
    const struct board_twin_sums *sums = &show.sums;
    show.bandwidth = TRANSACTION_BITS * (double)sums->accesses / show.seconds;
    show.scan = TRANSACTION_BITS * (double)sums->scans / show.seconds;
    show.occupancy = (double)sums->busy / (double)sums->cycles;
    show.access_time =
        sums->accesses > 0 ? (double)(sums->busy - sums->accesses) / (double)sums->accesses : 0;
    return show;
}

enum {
    PERIOD = 512,     /* cycles between two looks: so many on average, at least half of them */
    DEPTH = 64,       /* of calls that are followed */
    BEGINNING = 4096, /* bytes of a function that may store its return address */
    RETURN_ADDRESS = 29,
    STACK_POINTER = 28,
    /* ELF: sizes and places of what is read. */
    HEADER = 52,
    SECTION = 40,
    SYMBOL = 16,
    NAME_ROOM = 256,
    SECTION_IS_SYMBOLS = 2,
    SECTION_RUNS = 4,
    NO_TYPE = 0,
    IS_FUNCTION = 2,
};

/* The words of a function's beginning that say where it keeps what. */
static const uint32_t IMMEDIATE = 0xFFFF;
static const uint32_t ADD_TO_STACK_POINTER = 0x379C0000; /* addi sp, sp, immediate */
static const uint32_t STORE_RETURN_ADDRESS = 0x5B9D0000; /* sw (sp + immediate), ra */

/* ---- functions of an ELF file ---- */

struct elf {
    const uint8_t *bytes;
    size_t size;
};

static uint32_t word_at(const struct elf *elf, size_t at)
{
    return at <= elf->size && elf->size - at >= 4 ? board_twin_word(elf->bytes + at) : 0;
}

static uint32_t half_at(const struct elf *elf, size_t at)
{
    return word_at(elf, at) >> 16;
}

static size_t section_at(const struct elf *elf, uint32_t number)
{
    return (size_t)word_at(elf, 32) + (size_t)number * SECTION;
}

/* A function, or a label among instructions. */
static bool is_code(const struct elf *elf, size_t symbol)
{
    const uint32_t type = half_at(elf, symbol + 12) >> 8 & 0xF;
    const uint32_t section = half_at(elf, symbol + 14);
    return (type == IS_FUNCTION || type == NO_TYPE) && section > 0 && section < half_at(elf, 48) &&
           (word_at(elf, section_at(elf, section) + 8) & SECTION_RUNS) != 0;
}

static int by_address(const void *a, const void *b)
{
    const struct board_twin_function *left = a;
    const struct board_twin_function *right = b;
    if (left->address != right->address) {
        return left->address < right->address ? -1 : 1;
    }
    return left->size != right->size ? (left->size > right->size ? -1 : 1)
                                     : strcmp(left->name, right->name);
}

static bool read_functions(struct board_twin_profile *profile, const struct elf *elf)
{
    static const uint8_t start[] = {0x7F, 'E', 'L', 'F', 1, 2};
    const bool is_elf = elf->size >= HEADER && memcmp(elf->bytes, start, sizeof start) == 0 &&
                        half_at(elf, 46) == SECTION;
    const uint32_t sections = is_elf ? half_at(elf, 48) : 0;
    size_t table = 0;
    for (uint32_t i = 0; i < sections && table == 0; i++) {
        if (word_at(elf, section_at(elf, i) + 4) == SECTION_IS_SYMBOLS) {
            table = section_at(elf, i);
        }
    }
    const size_t begin = word_at(elf, table + 16);
    const size_t names = word_at(elf, section_at(elf, word_at(elf, table + 24)) + 16);
    const size_t room = begin < elf->size ? (elf->size - begin) / SYMBOL : 0;
    const size_t asked = word_at(elf, table + 20) / SYMBOL;
    const size_t count = table == 0 ? 0 : asked < room ? asked : room;
    profile->functions = calloc(count + 1, sizeof *profile->functions);
    for (size_t i = 0; profile->functions != NULL && i < count; i++) {
        const size_t symbol = begin + i * SYMBOL;
        const size_t name = names + word_at(elf, symbol);
        /* A name ends within the file, and soon: comparing many long ones takes for ever. */
        const size_t left = name < elf->size ? elf->size - name : 0;
        if (left > 0 && elf->bytes[name] != 0 &&
            memchr(elf->bytes + name, 0, left < NAME_ROOM ? left : NAME_ROOM) != NULL &&
            is_code(elf, symbol)) {
            profile->functions[profile->count++] =
                (struct board_twin_function){word_at(elf, symbol + 4), word_at(elf, symbol + 8),
                                             (const char *)elf->bytes + name, 0, 0};
        }
    }
    if (profile->count > 0) {
        qsort(profile->functions, profile->count, sizeof *profile->functions, by_address);
        /* Of several names of an address the first one stays. */
        size_t kept = 0;
        for (size_t i = 0; i < profile->count; i++) {
            if (kept == 0 ||
                profile->functions[kept - 1].address != profile->functions[i].address) {
                profile->functions[kept++] = profile->functions[i];
            }
        }
        profile->count = kept;
    }
    return profile->count > 0;
}

bool board_twin_profile_create(struct board_twin_profile *profile, const void *elf, size_t size)
{
    *profile = (struct board_twin_profile){.within = BOARD_TWIN_PROFILE_NONE, .random = 1};
    profile->edges = calloc(BOARD_TWIN_PROFILE_EDGES, sizeof *profile->edges);
    if (profile->edges == NULL || !read_functions(profile, &(struct elf){elf, size})) {
        board_twin_profile_free(profile);
        return false;
    }
    return true;
}

void board_twin_profile_free(struct board_twin_profile *profile)
{
    free(profile->functions);
    free(profile->edges);
    *profile = (struct board_twin_profile){.within = BOARD_TWIN_PROFILE_NONE};
}

int board_twin_profile_find(const struct board_twin_profile *profile, const char *name)
{
    for (size_t i = 0; i < profile->count; i++) {
        if (strcmp(profile->functions[i].name, name) == 0) {
            return (int)i;
        }
    }
    return BOARD_TWIN_PROFILE_NONE;
}

int board_twin_profile_at(const struct board_twin_profile *profile, uint32_t address)
{
    size_t low = 0;
    size_t high = profile->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (profile->functions[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return BOARD_TWIN_PROFILE_NONE;
    }
    const struct board_twin_function *function = &profile->functions[low - 1];
    const bool is_inside = function->size == 0 || address - function->address < function->size;
    return is_inside ? (int)(low - 1) : BOARD_TWIN_PROFILE_NONE;
}

/* ---- who called ---- */

static uint32_t peek(const struct board_twin *board, uint32_t address)
{
    const uint8_t *line = board_twin_memory_snoop(&board->memory, address);
    return board_twin_word(line + (address & (BOARD_TWIN_L2_BYTES - 4)));
}

/* Where a function stands: the innermost has the processor's return address. */
struct place {
    uint32_t pc;
    uint32_t stack;
    uint32_t back;
    bool back_is_kept; /* in a register */
};

static int32_t immediate_of(uint32_t word)
{
    return (int16_t)(word & IMMEDIATE);
}

/* Goes to the caller, by what the function's beginning has done up to pc. */
static bool leave(const struct board_twin_profile *profile, const struct board_twin *board,
                  int function, struct place *place)
{
    const uint32_t begin = profile->functions[function].address;
    /* The function's stack frame has gone if what frees it stands before pc. */
    const uint32_t before = peek(board, place->pc - 4);
    const bool has_left = (before & ~IMMEDIATE) == ADD_TO_STACK_POINTER && immediate_of(before) > 0;
    const uint32_t done = has_left ? 0 : place->pc - begin;
    int32_t frame = 0;
    int32_t saved = -1;
    for (uint32_t at = 0; at < done && at < BEGINNING && saved < 0; at += 4) {
        const uint32_t pc = begin + at;
        const uint32_t word = peek(board, pc);
        if ((word & ~IMMEDIATE) == ADD_TO_STACK_POINTER && immediate_of(word) < 0 && frame == 0) {
            frame = -immediate_of(word);
        } else if ((word & ~IMMEDIATE) == STORE_RETURN_ADDRESS) {
            saved = immediate_of(word);
        }
    }
    /* What comes back to the function itself is left of a call that it has made. */
    if (saved < 0 &&
        (!place->back_is_kept || board_twin_profile_at(profile, place->back) == function)) {
        return false;
    }
    place->pc = saved < 0 ? place->back : peek(board, place->stack + (uint32_t)saved);
    place->stack += (uint32_t)frame;
    place->back_is_kept = false;
    return true;
}

/* ---- counting ---- */

static void charge_edge(struct board_twin_profile *profile, int caller, int called, uint64_t cycles)
{
    uint32_t at = ((uint32_t)caller * 40503u ^ (uint32_t)called * 2654435761u) >> 8;
    for (size_t tries = 0; tries < BOARD_TWIN_PROFILE_EDGES; tries++, at++) {
        struct board_twin_edge *edge = &profile->edges[at % BOARD_TWIN_PROFILE_EDGES];
        if (edge->cycles == 0) {
            *edge = (struct board_twin_edge){caller, called, cycles};
            profile->edge_count++;
            return;
        }
        if (edge->caller == caller && edge->called == called) {
            edge->cycles += cycles;
            return;
        }
    }
}

static bool stands_in(const int *calls, size_t depth, int function)
{
    for (size_t i = 0; i < depth; i++) {
        if (calls[i] == function) {
            return true;
        }
    }
    return false;
}

uint64_t board_twin_profile_look(void *user, const struct board_twin *board)
{
    struct board_twin_profile *profile = user;
    const uint64_t now = board->cpu.cycles;
    /* From the innermost function outwards; a function that stands there twice is named once. */
    int calls[DEPTH];
    size_t depth = 0;
    const uint32_t *r = board->cpu.r;
    struct place place = {board->cpu.pc, r[STACK_POINTER], r[RETURN_ADDRESS], true};
    for (bool goes_on = !profile->pauses; goes_on && depth < DEPTH;) {
        const int function = board_twin_profile_at(profile, place.pc);
        if (function == BOARD_TWIN_PROFILE_NONE) {
            break;
        }
        calls[depth++] = function;
        goes_on = leave(profile, board, function, &place);
    }
    if (!profile->pauses &&
        (profile->within == BOARD_TWIN_PROFILE_NONE || stands_in(calls, depth, profile->within))) {
        const uint64_t cycles = now - profile->last;
        profile->all += cycles;
        if (depth == 0) {
            profile->outside += cycles;
        } else {
            profile->functions[calls[0]].self += cycles;
        }
        for (size_t i = 0; i < depth; i++) {
            if (!stands_in(calls, i, calls[i])) {
                profile->functions[calls[i]].total += cycles;
            }
            bool is_new = i + 1 < depth;
            for (size_t k = 0; k < i && is_new; k++) {
                is_new = calls[k] != calls[i] || calls[k + 1] != calls[i + 1];
            }
            if (is_new) {
                charge_edge(profile, calls[i + 1], calls[i], cycles);
            }
        }
    }
    profile->last = now;
    profile->random = profile->random * 1664525u + 1013904223u;
    return now + PERIOD / 2 + (profile->random >> 16) % PERIOD;
}
