#include "app/board/account.h"

enum {
    LAGS = sizeof((struct app_board_account *)0)->lags / sizeof(uint64_t),
    TRANSACTION_BITS = 4 * 64,
};

uint64_t app_board_bus_accesses(const struct app_board *board)
{
    const struct tmu_sim_report *mapper = &board->tmu.bus;
    return board->memory.bus.accesses + mapper->bus_accesses - mapper->scans;
}

uint64_t app_board_bus_busy(const struct app_board *board)
{
    const struct tmu_sim_report *mapper = &board->tmu.bus;
    return board->memory.bus.busy + mapper->bus_busy - mapper->scan_busy;
}

static unsigned team_of(const struct app_board *board)
{
    const unsigned lights = board->system.leds & (APP_BOARD_SHOW | APP_BOARD_PROGRAM);
    return lights | (board->pfpu.busy ? (unsigned)APP_BOARD_PFPU : 0) |
           (board->tmu.busy ? (unsigned)APP_BOARD_TMU : 0);
}

void app_board_account_settle(struct app_board *board)
{
    struct app_board_account *account = &board->account;
    account->teams[account->team] += board->cpu.cycles - account->since;
    account->since = board->cpu.cycles;
    account->team = team_of(board);
}

static struct app_board_sums sums_of(const struct app_board *board)
{
    const struct app_board_account *account = &board->account;
    struct app_board_sums sums = {
        .cycles = board->cpu.cycles,
        .instructions = board->cpu.instructions,
        .accesses = app_board_bus_accesses(board),
        .busy = app_board_bus_busy(board),
        .scans = board->memory.bus.scans,
        .blocks = board->ac97.blocks,
        .presented = account->presented,
        .replaced = board->vga.replaced,
        .pfpu_runs = board->pfpu.runs,
        .tmu_runs = board->tmu.runs,
        .pixels = board->tmu.pixels,
    };
    for (unsigned i = 0; i < APP_BOARD_TEAMS; i++) {
        sums.teams[i] = account->teams[i];
    }
    sums.teams[account->team] += board->cpu.cycles - account->since;
    return sums;
}

static uint64_t lag_of(const struct app_board_sums *sums)
{
    return sums->blocks > sums->presented ? sums->blocks - sums->presented : 0;
}

void app_board_account_present(struct app_board *board)
{
    struct app_board_account *account = &board->account;
    account->presented++;
    if (board->tmu.runs == 0) {
        return;
    }
    const struct app_board_sums now = sums_of(board);
    const uint64_t lag = lag_of(&now);
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

void app_board_account_seen(struct app_board *board)
{
    struct app_board_account *account = &board->account;
    if (account->first_seen == 0 && account->first.presented > 0) {
        account->first_seen = board->cpu.cycles;
    }
}

static uint64_t left_out(const struct app_board_account *account)
{
    const uint64_t number = account->last.presented - account->first.presented + 1;
    uint64_t lag = account->lags[0];
    for (unsigned i = 1; i < LAGS && i < number; i++) {
        lag = account->lags[i] < lag ? account->lags[i] : lag;
    }
    return lag > account->lag ? lag - account->lag : 0;
}

static struct app_board_sums between(const struct app_board_sums *first,
                                     const struct app_board_sums *last)
{
    struct app_board_sums sums = {
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
    for (unsigned i = 0; i < APP_BOARD_TEAMS; i++) {
        sums.teams[i] = last->teams[i] - first->teams[i];
    }
    return sums;
}

/* How many of processor, PFPU and TMU work. */
static unsigned size_of(unsigned team)
{
    const unsigned cpu = (team & (APP_BOARD_SHOW | APP_BOARD_PROGRAM)) != 0 ? 1 : 0;
    const unsigned pfpu = (team & APP_BOARD_PFPU) != 0 ? 1 : 0;
    return cpu + pfpu + ((team & APP_BOARD_TMU) != 0 ? 1 : 0);
}

static void add_team(struct app_board_show *show, unsigned team, double cycles)
{
    const unsigned lights = team & (APP_BOARD_SHOW | APP_BOARD_PROGRAM);
    show->cpu += (lights & APP_BOARD_SHOW) != 0 ? cycles : 0;
    show->program += lights == APP_BOARD_PROGRAM ? cycles : 0;
    show->pfpu += (team & APP_BOARD_PFPU) != 0 ? cycles : 0;
    show->tmu += (team & APP_BOARD_TMU) != 0 ? cycles : 0;
    show->two += size_of(team) == 2 ? cycles : 0;
    show->three += size_of(team) == 3 ? cycles : 0;
}

static void rate_memory(struct app_board_show *show)
{
    const struct app_board_sums *sums = &show->sums;
    show->bandwidth = TRANSACTION_BITS * (double)sums->accesses / show->seconds;
    show->scan = TRANSACTION_BITS * (double)sums->scans / show->seconds;
    show->occupancy = (double)sums->busy / (double)sums->cycles;
    show->access_time =
        sums->accesses > 0 ? (double)(sums->busy - sums->accesses) / (double)sums->accesses : 0;
}

struct app_board_show app_board_account_show(const struct app_board *board)
{
    const struct app_board_account *account = &board->account;
    struct app_board_show show = {.first_picture = (double)account->first_seen / APP_BOARD_CLOCK};
    if (account->last.cycles == account->first.cycles) {
        return show;
    }
    show.sums = between(&account->first, &account->last);
    const double frames = (double)show.sums.presented;
    show.seconds = (double)show.sums.cycles / APP_BOARD_CLOCK;
    show.pictures_per_second = frames / show.seconds;
    show.left_out = (double)left_out(account);
    show.unseen = (double)show.sums.replaced;
    show.gap = (double)account->gap;
    for (unsigned i = 0; i < APP_BOARD_TEAMS; i++) {
        add_team(&show, i, (double)show.sums.teams[i] / frames);
    }
    rate_memory(&show);
    return show;
}
