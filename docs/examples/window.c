/* A window that paints to the sound input: window PRESETS [SECONDS]. Space: the next preset.
 *
 *   cc window.c -o window $(pkg-config --cflags --libs froth sdl2) */
#include <SDL.h>
#include <froth.h>
#include <stdlib.h>

/* SDL's thread. */
static void hear(void *user, Uint8 *bytes, int size)
{
    froth_add_sound_float(user, (const float *)bytes, (size_t)size / (2 * sizeof(float)), 2, 48000);
}

static SDL_AudioDeviceID listen(froth *show)
{
    SDL_AudioSpec spec = {.freq = 48000, .format = AUDIO_F32SYS, .channels = 2, .samples = 512};
    spec.callback = hear;
    spec.userdata = show;
    SDL_AudioDeviceID device = SDL_OpenAudioDevice(NULL, 1, &spec, NULL, 0);
    SDL_PauseAudioDevice(device, 0);
    return device;
}

static void paint(froth *show, SDL_Window *window, double seconds)
{
    SDL_Surface *surface = SDL_GetWindowSurface(window);
    if (surface != NULL && surface->format->format == SDL_PIXELFORMAT_RGB888) {
        const struct froth_picture picture = {surface->pixels, (size_t)surface->pitch, surface->w,
                                              surface->h, FROTH_BGRX};
        if (froth_render_at(show, seconds, &picture) == FROTH_OK) {
            SDL_UpdateWindowSurface(window);
        }
    }
}

/* 0 when the window is closed. */
static int take_events(froth *show)
{
    SDL_Event event;
    while (SDL_PollEvent(&event)) {
        if (event.type == SDL_QUIT) {
            return 0;
        }
        if (event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_SPACE) {
            froth_next(show, 1, FROTH_SOFT);
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    const double end = argc > 2 ? atof(argv[2]) : 1e6;
    struct froth_config config;
    froth_config_begin(&config, sizeof config);
    froth *show = froth_create(&config, NULL);
    if (argc < 2 || show == NULL || froth_playlist_add(show, argv[1]) <= 0 ||
        SDL_Init(SDL_INIT_VIDEO | SDL_INIT_AUDIO) != 0) {
        SDL_Log("window PRESETS [SECONDS]: no presets, or no display");
        return 1;
    }
    SDL_Window *window = SDL_CreateWindow("froth", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                                          640, 480, SDL_WINDOW_RESIZABLE);
    const SDL_AudioDeviceID device = listen(show);
    const Uint64 begun = SDL_GetTicks64();
    double seconds = 0;
    for (; take_events(show) && seconds < end; SDL_Delay(10)) {
        seconds = (double)(SDL_GetTicks64() - begun) / 1000;
        paint(show, window, seconds);
    }
    SDL_Log("%llu frames", (unsigned long long)froth_frame(show));
    SDL_CloseAudioDevice(device);
    froth_free(show);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}
