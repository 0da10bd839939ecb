#include "app/share/matroska.h"

#include <string.h>

/* Elements of Matroska that are needed here (RFC 9559). */
enum id {
    EBML = 0x1A45DFA3,
    EBML_DOC_TYPE = 0x4282,
    EBML_DOC_TYPE_VERSION = 0x4287,
    EBML_DOC_TYPE_READ_VERSION = 0x4285,
    SEGMENT = 0x18538067,
    INFO = 0x1549A966,
    TIMESTAMP_SCALE = 0x2AD7B1,
    TRACKS = 0x1654AE6B,
    TRACK_ENTRY = 0xAE,
    TRACK_NUMBER = 0xD7,
    TRACK_UID = 0x73C5,
    TRACK_TYPE = 0x83,
    FLAG_LACING = 0x9C,
    DEFAULT_DURATION = 0x23E383,
    CODEC_ID = 0x86,
    VIDEO = 0xE0,
    PIXEL_WIDTH = 0xB0,
    PIXEL_HEIGHT = 0xBA,
    COLOUR_SPACE = 0x2EB524,
    AUDIO = 0xE1,
    SAMPLING_FREQUENCY = 0xB5,
    CHANNELS = 0x9F,
    BIT_DEPTH = 0x6264,
    CLUSTER = 0x1F43B675,
    TIMESTAMP = 0xE7,
    SIMPLE_BLOCK = 0xA3,
};

enum { TYPE_VIDEO = 1, TYPE_AUDIO = 2, BITS = 16, BLOCK_HEAD = 4, SIZE_BYTES = 8, NAME = 4 };

static const uint64_t microsecond = 1000;          /* nanoseconds */
static const uint64_t second = 1000 * 1000 * 1000; /* nanoseconds */

struct writer {
    unsigned char *bytes;
    size_t size;
};

static void put(struct writer *writer, uint64_t value, int bytes)
{
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
        writer->bytes[writer->size++] = (unsigned char)(value >> shift & 255);
    }
}

static void put_id(struct writer *writer, enum id id)
{
    const uint32_t value = (uint32_t)id;
    put(writer, value, value > 0xFFFFFF ? 4 : value > 0xFFFF ? 3 : value > 0xFF ? 2 : 1);
}

/* A size in eight bytes, whatever it is. */
static void put_size(struct writer *writer, uint64_t size)
{
    put(writer, (uint64_t)1 << 56 | size, SIZE_BYTES);
}

static void put_number(struct writer *writer, enum id id, uint64_t value)
{
    put_id(writer, id);
    put_size(writer, sizeof value);
    put(writer, value, sizeof value);
}

static void put_bytes(struct writer *writer, enum id id, const void *bytes, size_t size)
{
    put_id(writer, id);
    put_size(writer, size);
    memcpy(writer->bytes + writer->size, bytes, size);
    writer->size += size;
}

static void put_text(struct writer *writer, enum id id, const char *text)
{
    put_bytes(writer, id, text, strlen(text));
}

/* An element that holds others, up to `end`. */
static size_t begin(struct writer *writer, enum id id)
{
    put_id(writer, id);
    writer->size += SIZE_BYTES;
    return writer->size;
}

static void end(struct writer *writer, size_t begun)
{
    struct writer size = {writer->bytes, begun - SIZE_BYTES};
    put_size(&size, writer->size - begun);
}

static size_t begin_track(struct writer *writer, enum app_matroska_track track, int type,
                          const char *codec)
{
    const size_t entry = begin(writer, TRACK_ENTRY);
    put_number(writer, TRACK_NUMBER, (uint64_t)track);
    put_number(writer, TRACK_UID, (uint64_t)track);
    put_number(writer, TRACK_TYPE, (uint64_t)type);
    put_number(writer, FLAG_LACING, 0);
    put_text(writer, CODEC_ID, codec);
    return entry;
}

size_t app_matroska_head(unsigned char *to, int width, int height, struct engine_rate rate)
{
    /* Bytes of a pixel in the order in which they lie in memory. */
    const uint32_t one = 1;
    const char *names = *(const unsigned char *)&one == 1 ? "BGR\0" : "\0RGB";
    struct writer writer = {to, 0};
    const size_t ebml = begin(&writer, EBML);
    put_text(&writer, EBML_DOC_TYPE, "matroska");
    put_number(&writer, EBML_DOC_TYPE_VERSION, 4);
    put_number(&writer, EBML_DOC_TYPE_READ_VERSION, 2);
    end(&writer, ebml);
    const size_t segment = begin(&writer, SEGMENT);
    struct writer unknown = {to, segment - SIZE_BYTES};
    put_size(&unknown, ((uint64_t)1 << 56) - 1);

    const size_t info = begin(&writer, INFO);
    put_number(&writer, TIMESTAMP_SCALE, microsecond);
    end(&writer, info);

    const size_t tracks = begin(&writer, TRACKS);
    const size_t picture = begin_track(&writer, APP_MATROSKA_PICTURE, TYPE_VIDEO, "V_UNCOMPRESSED");
    put_number(&writer, DEFAULT_DURATION, second * rate.denominator / rate.numerator);
    const size_t video = begin(&writer, VIDEO);
    put_number(&writer, PIXEL_WIDTH, (uint64_t)width);
    put_number(&writer, PIXEL_HEIGHT, (uint64_t)height);
    put_bytes(&writer, COLOUR_SPACE, names, NAME);
    end(&writer, video);
    end(&writer, picture);

    const size_t sound = begin_track(&writer, APP_MATROSKA_SOUND, TYPE_AUDIO, "A_PCM/INT/LIT");
    const size_t audio = begin(&writer, AUDIO);
    const double frequency = ENGINE_SOUND_RATE;
    uint64_t bits;
    memcpy(&bits, &frequency, sizeof bits);
    put_number(&writer, SAMPLING_FREQUENCY, bits);
    put_number(&writer, CHANNELS, 2);
    put_number(&writer, BIT_DEPTH, BITS);
    end(&writer, audio);
    end(&writer, sound);
    end(&writer, tracks);
    return writer.size;
}

size_t app_matroska_block(unsigned char *to, enum app_matroska_track track, uint64_t time,
                          size_t size)
{
    enum { KEY = 0x80, TRACK_SIGN = 0x80 };
    struct writer writer = {to, 0};
    const size_t cluster = begin(&writer, CLUSTER);
    put_number(&writer, TIMESTAMP, time);
    put_id(&writer, SIMPLE_BLOCK);
    put_size(&writer, size + BLOCK_HEAD);
    put(&writer, TRACK_SIGN | (uint64_t)track, 1);
    put(&writer, 0, 2); /* behind the cluster's time */
    put(&writer, KEY, 1);
    struct writer whole = {to, cluster - SIZE_BYTES};
    put_size(&whole, writer.size - cluster + size);
    return writer.size;
}
