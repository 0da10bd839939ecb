/* A gamepad of SDL's own, plugged into a froth that runs: preloaded, it obeys the lines of a pipe
 * ($FROTH_TEST_PAD): attach, detach, axis NUMBER VALUE, button NUMBER 0|1. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GAME_CONTROLLER = 1, AXES = 6, BUTTONS = 15 };

struct pad {
    int index;
    void *joystick;
};

static void obey(struct pad *pad, void *sdl, const char *line)
{
    int (*attach)(int, int, int, int) = dlsym(sdl, "SDL_JoystickAttachVirtual");
    int (*detach)(int) = dlsym(sdl, "SDL_JoystickDetachVirtual");
    void *(*open_at)(int) = dlsym(sdl, "SDL_JoystickOpen");
    int (*set_axis)(void *, int, short) = dlsym(sdl, "SDL_JoystickSetVirtualAxis");
    int (*set_button)(void *, int, unsigned char) = dlsym(sdl, "SDL_JoystickSetVirtualButton");
    int number;
    int value;
    if (sscanf(line, "axis %d %d", &number, &value) == 2 && pad->joystick != NULL) {
        (void)set_axis(pad->joystick, number, (short)value);
    } else if (sscanf(line, "button %d %d", &number, &value) == 2 && pad->joystick != NULL) {
        (void)set_button(pad->joystick, number, (unsigned char)value);
    } else if (line[0] == 'd' && pad->joystick != NULL) {
        (void)detach(pad->index);
        pad->joystick = NULL;
    } else if (line[0] == 'a' && pad->joystick == NULL) {
        pad->index = attach(GAME_CONTROLLER, AXES, BUTTONS, 0);
        pad->joystick = pad->index >= 0 ? open_at(pad->index) : NULL;
    }
}

static void *serve(void *path)
{
    char line[64];
    struct pad pad = {-1, NULL};
    void *sdl = NULL;
    FILE *lines = fopen(path, "r");
    /* froth loads it with the first window. */
    while (lines != NULL && sdl == NULL) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        sdl = dlopen("libSDL2-2.0.so.0", RTLD_LAZY | RTLD_NOLOAD);
    }
    while (lines != NULL && fgets(line, sizeof line, lines) != NULL) {
        obey(&pad, sdl, line);
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;
    char *path = getenv("FROTH_TEST_PAD");
    if (path != NULL) {
        (void)pthread_create(&thread, NULL, serve, path);
    }
}
