#!/usr/bin/env python3
"""A picture of a preset that hears a tone: picture.py PRESET SECONDS OUT.ppm [LIBRARY]"""
import ctypes
import math
import sys

WIDTH, HEIGHT, FPS, RATE = 320, 240, 60, 44100
RGBX, HARD = 1, 1


class Picture(ctypes.Structure):
    _fields_ = [("pixels", ctypes.c_void_p), ("stride", ctypes.c_size_t), ("width", ctypes.c_int),
                ("height", ctypes.c_int), ("format", ctypes.c_int)]


class Config(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("fps_numerator", ctypes.c_uint32),
                ("fps_denominator", ctypes.c_uint32), ("step_rate", ctypes.c_double),
                ("between", ctypes.c_int), ("exact", ctypes.c_int), ("width", ctypes.c_int),
                ("height", ctypes.c_int), ("mesh_width", ctypes.c_int), ("mesh_height", ctypes.c_int),
                ("seed", ctypes.c_uint64), ("levels", ctypes.c_int), ("threads", ctypes.c_int),
                ("shader_pixels", ctypes.c_int), ("memory", ctypes.c_size_t),
                ("advance", ctypes.c_double), ("blend", ctypes.c_double),
                ("transition", ctypes.c_char_p), ("random", ctypes.c_int),
                ("message", ctypes.c_void_p), ("user", ctypes.c_void_p),
                ("texture", ctypes.c_void_p), ("texture_user", ctypes.c_void_p)]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    lib = ctypes.CDLL(sys.argv[4] if len(sys.argv) > 4 else "libfroth.so.0")
    lib.froth_create.restype = ctypes.c_void_p
    lib.froth_result_text.restype = ctypes.c_char_p
    lib.froth_sound_wanted.restype = ctypes.c_size_t
    lib.froth_sound_wanted.argtypes = [ctypes.c_void_p]
    lib.froth_free.argtypes = [ctypes.c_void_p]
    config = Config()
    if lib.froth_config_begin(ctypes.byref(config), ctypes.c_size_t(ctypes.sizeof(config))) != 0:
        sys.exit("another version of froth")
    config.exact, config.width, config.height = 1, WIDTH, HEIGHT
    show = ctypes.c_void_p(lib.froth_create(ctypes.byref(config), None))
    result = lib.froth_load_file(show, sys.argv[1].encode(), HARD)
    if result != 0:
        sys.exit(f"{sys.argv[1]}: {lib.froth_result_text(result).decode()}")
    pixels = ctypes.create_string_buffer(4 * WIDTH * HEIGHT)
    picture = Picture(ctypes.cast(pixels, ctypes.c_void_p), 4 * WIDTH, WIDTH, HEIGHT, RGBX)
    heard = 0
    for _ in range(int(float(sys.argv[2]) * FPS)):
        count = lib.froth_sound_wanted(show)
        samples = [0.7 * math.sin(2 * math.pi * 110 * (heard + i) / RATE) for i in range(count)]
        lib.froth_add_sound_float(show, (ctypes.c_float * count)(*samples), ctypes.c_size_t(count), 1, RATE)
        heard += count
        lib.froth_render(show, ctypes.byref(picture))
    lib.froth_free(show)
    with open(sys.argv[3], "wb") as out:
        out.write(b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT))
        raw = bytes(pixels)
        out.write(b"".join(raw[i:i + 3] for i in range(0, len(raw), 4)))


main()
