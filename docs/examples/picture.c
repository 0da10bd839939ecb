/* A picture of a sound: picture SOUND PRESET SECONDS OUT.ppm
 *
 *   cc picture.c -o picture $(pkg-config --cflags --libs froth sndfile) */
#include <froth.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 640, HEIGHT = 480, FPS = 60, BLOCK = 4096 };

static void print_message(void *user, const struct froth_message *message)
{
    (void)user;
    fprintf(stderr, "%s:%u:%u: %s\n", message->file ? message->file : "froth",
            (unsigned)message->line, (unsigned)message->column, message->what);
}

/* Adds the sound that the next frame hears; behind its end there is silence. */
static void hear(froth *show, SNDFILE *sound, const SF_INFO *info)
{
    static float samples[BLOCK * 2];
    size_t wanted;
    while ((wanted = froth_sound_wanted(show)) > 0) {
        sf_count_t got = sf_readf_float(sound, samples, wanted < BLOCK ? (sf_count_t)wanted : BLOCK);
        if (got <= 0) {
            froth_end_sound(show);
        } else if (froth_add_sound_float(show, samples, (size_t)got, info->channels,
                                         (uint32_t)info->samplerate) != FROTH_OK) {
            exit(1);
        }
    }
}

static int write_picture(const char *path, const unsigned char *rgbx)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return 1;
    }
    fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        fwrite(rgbx + 4 * i, 1, 3, file);
    }
    return fclose(file) != 0;
}

int main(int argc, char **argv)
{
    static unsigned char pixels[4 * WIDTH * HEIGHT];
    const struct froth_picture picture = {pixels, 4 * WIDTH, WIDTH, HEIGHT, FROTH_RGBX};
    struct froth_config config;
    SF_INFO info = {0};
    SNDFILE *sound = argc == 5 ? sf_open(argv[1], SFM_READ, &info) : NULL;
    if (sound == NULL || info.channels > 2) {
        fprintf(stderr, "picture SOUND PRESET SECONDS OUT.ppm\n");
        return 2;
    }
    froth_config_begin(&config, sizeof config);
    config.exact = 1;
    config.fps_numerator = FPS;
    config.message = print_message;
    froth *show = froth_create(&config, NULL);
    if (show == NULL || froth_load_file(show, argv[2], FROTH_HARD) != FROTH_OK) {
        return 1;
    }
    for (int frame = 0; frame < atof(argv[3]) * FPS; frame++) {
        hear(show, sound, &info);
        froth_render(show, &picture);
    }
    froth_free(show);
    sf_close(sound);
    return write_picture(argv[4], pixels);
}
