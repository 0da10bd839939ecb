#include "app/check.h"

#include "base/hash.h"

enum { LIT = 16 };

static bool lit(uint32_t pixel)
{
    return (pixel >> 16 & 0xFF) > LIT || (pixel >> 8 & 0xFF) > LIT || (pixel & 0xFF) > LIT;
}

bool app_check_picture_black(const uint32_t *pixels, size_t count)
{
    uint64_t red = 0;
    uint64_t green = 0;
    uint64_t blue = 0;
    size_t bright = 0;
    for (size_t i = 0; i < count; i++) {
        red += pixels[i] >> 16 & 0xFF;
        green += pixels[i] >> 8 & 0xFF;
        blue += pixels[i] & 0xFF;
        bright += lit(pixels[i]);
    }
    return red < count && green < count && blue < count && bright * 1000 < count;
}

void app_check_watch_picture(struct app_check_watch *watch, const uint32_t *pixels, size_t count)
{
    const uint64_t hash = base_hash(BASE_HASH_START, pixels, count * sizeof *pixels);
    if (watch->pictures == 0) {
        watch->first_hash = hash;
    }
    watch->changed = watch->changed || hash != watch->first_hash;
    watch->seen = watch->seen || !app_check_picture_black(pixels, count);
    watch->pictures++;
}
