/* Looks at an X display, for scripts (cli/lib/display.sh):
 *   screen shot X Y WIDTH HEIGHT FILE     a part of the screen as bytes of red, green and blue
 *   screen levels FILE ROW X Y WIDTH HEIGHT
 *       of a part of such a file, whose rows have ROW pixels: mean red, green and blue in
 *       hundredths, and the largest byte
 * Exit code 1: there is no such display, part or file. */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong ends the program by itself: Xlib's handler would print more than the script can
 * use.
 */
static int give_up(Display *display, XErrorEvent *event)
{
    (void)display;
    (void)event;
    exit(1);
}

static int shoot(const int place[4], const char *path)
{
    Display *display = XOpenDisplay(NULL);
    FILE *file = fopen(path, "wb");
    if (display == NULL || file == NULL || place[2] < 1 || place[3] < 1) {
        return 1;
    }
    (void)XSetErrorHandler(give_up);
    XImage *image = XGetImage(display, DefaultRootWindow(display), place[0], place[1],
                              (unsigned)place[2], (unsigned)place[3], AllPlanes, ZPixmap);
    if (image == NULL || image->bits_per_pixel != 32 || image->byte_order != LSBFirst) {
        return 1;
    }
    for (int y = 0; y < place[3]; y++) {
        const uint8_t *from =
            (const uint8_t *)image->data + (size_t)y * (size_t)image->bytes_per_line;
        for (int x = 0; x < place[2]; x++) {
            const uint8_t pixel[3] = {from[4 * x + 2], from[4 * x + 1], from[4 * x]};
            (void)fwrite(pixel, sizeof pixel, 1, file);
        }
    }
    (void)XDestroyImage(image);
    (void)XCloseDisplay(display);
    return fclose(file) == 0 ? 0 : 1;
}

static int measure(const char *path, int row, const int place[4])
{
    FILE *file = fopen(path, "rb");
    long sum[3] = {0};
    int top = 0;
    if (file == NULL || place[0] < 0 || place[1] < 0 || place[2] < 1 || place[3] < 1 ||
        place[0] + place[2] > row) {
        return 1;
    }
    for (int y = place[1]; y < place[1] + place[3]; y++) {
        if (fseek(file, 3 * ((long)y * row + place[0]), SEEK_SET) != 0) {
            return 1;
        }
        for (int i = 0; i < 3 * place[2]; i++) {
            const int byte = fgetc(file);
            if (byte == EOF) {
                return 1;
            }
            sum[i % 3] += byte;
            top = byte > top ? byte : top;
        }
    }
    const long pixels = (long)place[2] * place[3];
    printf("%ld %ld %ld %d\n", 100 * sum[0] / pixels, 100 * sum[1] / pixels, 100 * sum[2] / pixels,
           top);
    (void)fclose(file);
    return 0;
}

int main(int argc, char **argv)
{
    const int shot = argc == 7 && strcmp(argv[1], "shot") == 0;
    if (!shot && (argc != 8 || strcmp(argv[1], "levels") != 0)) {
        (void)fputs("usage: screen shot X Y WIDTH HEIGHT FILE\n"
                    "       screen levels FILE ROW X Y WIDTH HEIGHT\n",
                    stderr);
        return 2;
    }
    int place[4];
    for (int i = 0; i < 4; i++) {
        place[i] = atoi(argv[(shot ? 2 : 4) + i]);
    }
    return shot ? shoot(place, argv[6]) : measure(argv[2], atoi(argv[3]), place);
}
