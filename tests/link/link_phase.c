/* Whether presets see the beat of an Ableton Link session: link_phase PEER
 * A show without a window joins the session of PEER (link_peer.cpp) through froth-link, which lies
 * beside this program. Prints by how many milliseconds the beat of frames lies beside the peer's,
 * then sets the session's tempo by hand, then is stopped and started by the peer. Exit code 1 after
 * a line that says what went wrong. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/tempo/tempo.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "engine/embed/program.h"

enum { WIDTH = 32, HEIGHT = 24, FRAMES = 300 };

static const double patience = 60; /* seconds */
static const double most = 5;      /* milliseconds */

struct peer {
    pid_t process;
    int to;
    int from;
    char text[4096];
    size_t size;
    unsigned peers;
    double bpm;
    double beats;
    double at;
};

struct stage {
    froth *show;
    struct app_tempo *tempo;
    struct peer peer;
    double begun;
    uint32_t room[WIDTH * HEIGHT];
};

static int fail(struct stage *stage, const char *what)
{
    printf("FAILED: %s\n", what);
    app_tempo_close(stage->tempo);
    froth_free(stage->show);
    (void)kill(stage->peer.process, SIGKILL);
    return 1;
}

static void start_peer(struct peer *peer, const char *program)
{
    int to[2];
    int from[2];
    if (pipe(to) != 0 || pipe(from) != 0) {
        exit(1);
    }
    peer->process = fork();
    if (peer->process == 0) {
        (void)dup2(to[0], STDIN_FILENO);
        (void)dup2(from[1], STDOUT_FILENO);
        (void)close(to[1]);
        (void)close(from[0]);
        (void)execl(program, program, "97", (char *)NULL);
        _exit(127);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    (void)fcntl(from[0], F_SETFL, O_NONBLOCK);
    peer->to = to[1];
    peer->from = from[0];
}

/* The newest line of it. */
static void hear_peer(struct peer *peer)
{
    const ssize_t got =
        read(peer->from, peer->text + peer->size, sizeof peer->text - 1 - peer->size);
    peer->size += got > 0 ? (size_t)got : 0;
    peer->text[peer->size] = '\0';
    for (char *end = strchr(peer->text, '\n'); end != NULL; end = strchr(peer->text, '\n')) {
        double bpm;
        double beats;
        double at;
        if (sscanf(peer->text, "%u %lf %lf %lf", &peer->peers, &bpm, &beats, &at) == 4) {
            peer->bpm = bpm / 1e6;
            peer->beats = beats / 1e6;
            peer->at = at / 1e6;
        }
        peer->size -= (size_t)(end + 1 - peer->text);
        memmove(peer->text, end + 1, peer->size + 1);
    }
}

static void tell_peer(const struct peer *peer, const char *line)
{
    if (write(peer->to, line, strlen(line)) < 0) {
        printf("the peer is gone\n");
    }
}

/* A frame now; returns the moment that it stands for. */
static double frame(struct stage *stage, struct froth_tempo *tempo)
{
    const struct froth_picture picture = {stage->room, WIDTH * sizeof *stage->room, WIDTH, HEIGHT,
                                          FROTH_BGRX};
    base_clock_sleep_until(base_clock_seconds() + 1 / 60.0);
    const double clock = base_clock_seconds();
    app_tempo_give(stage->tempo, instance_engine(stage->show), clock, 1);
    (void)froth_render_at(stage->show, clock - stage->begun, &picture);
    (void)froth_tempo(stage->show, tempo);
    hear_peer(&stage->peer);
    return clock;
}

/* By how many milliseconds the frame's beat is later than the peer's, bars counted. */
static double beside(const struct peer *peer, const struct froth_tempo *tempo, double clock)
{
    const double theirs = peer->beats + (clock - peer->at) * peer->bpm / 60;
    return remainder(theirs - tempo->beats, 4) * 60e3 / peer->bpm;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Waits until the beat has this tempo, comes from there, and lies where the peer's does. */
static bool agrees(struct stage *stage, double bpm, const char *source)
{
    struct froth_tempo tempo;
    const double until = base_clock_seconds() + patience;
    while (base_clock_seconds() < until) {
        const double clock = frame(stage, &tempo);
        if (fabs(tempo.bpm - bpm) < 0.01 && strcmp(tempo.source, source) == 0 &&
            (fabs(stage->peer.bpm - bpm) < 0.01 &&
             (source[0] != 'l' || fabs(beside(&stage->peer, &tempo, clock)) < most))) {
            return true;
        }
    }
    printf("%.3f of %s, the peer has %.3f\n", tempo.bpm, tempo.source, stage->peer.bpm);
    return false;
}

int main(int argc, char **argv)
{
    static struct stage stage;
    const struct app_options options = {.link = true};
    struct froth_config config;
    if (argc < 2 || app_apart_begin() != 0) {
        return 1;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    start_peer(&stage.peer, argv[1]);
    (void)froth_config_begin(&config, sizeof config);
    config.width = WIDTH;
    config.height = HEIGHT;
    config.threads = 1;
    stage.show = froth_create(&config, NULL);
    stage.tempo = app_tempo_open(&options, &base_diag_stderr);
    stage.begun = base_clock_seconds();
    if (stage.show == NULL || stage.tempo == NULL) {
        return fail(&stage, "nothing begins");
    }
    /* Whoever came first has the tempo. */
    struct froth_tempo tempo;
    const double until = base_clock_seconds() + patience;
    while (stage.peer.peers == 0 && base_clock_seconds() < until) {
        (void)frame(&stage, &tempo);
    }
    tell_peer(&stage.peer, "tempo 128\n");
    if (!agrees(&stage, 128, "link")) {
        return fail(&stage, "the session's tempo is not followed");
    }
    double apart[FRAMES];
    for (size_t i = 0; i < FRAMES; i++) {
        const double clock = frame(&stage, &tempo);
        apart[i] = fabs(beside(&stage.peer, &tempo, clock));
    }
    qsort(apart, FRAMES, sizeof *apart, by_size);
    printf("phase beside the peer's: median %.3f ms, 99 of 100 within %.3f ms, most %.3f ms\n",
           apart[FRAMES / 2], apart[FRAMES * 99 / 100], apart[FRAMES - 1]);
    if (apart[FRAMES / 2] >= most) {
        return fail(&stage, "the beat lies elsewhere");
    }
    (void)froth_set(stage.show, "tempo", 140);
    if (!agrees(&stage, 140, "link")) {
        return fail(&stage, "a tempo by hand is not the session's");
    }
    tell_peer(&stage.peer, "play\n");
    for (int i = 0; i < 30; i++) {
        (void)frame(&stage, &tempo);
    }
    tell_peer(&stage.peer, "stop\n");
    if (!agrees(&stage, 140, "tap")) {
        return fail(&stage, "a session that was stopped drives");
    }
    tell_peer(&stage.peer, "play\n");
    if (!agrees(&stage, 140, "link")) {
        return fail(&stage, "a session that was started again does not drive");
    }
    app_tempo_close(stage.tempo);
    froth_free(stage.show);
    (void)close(stage.peer.to);
    (void)waitpid(stage.peer.process, NULL, 0);
    printf("tempo, start and stop go both ways\n");
    return 0;
}
