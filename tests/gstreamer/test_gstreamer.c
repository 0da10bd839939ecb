/* The element from both of its pads: test_gstreamer needs GST_PLUGIN_PATH and LD_LIBRARY_PATH. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four before. */
#include <cmocka.h>
#include <gst/audio/audio.h>
#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#define PRESET   TEST_SOURCE "/presets/originals/froth - Tidal Glass.milk"
#define SOUND    "audio/x-raw,format=S16LE,layout=interleaved,channels=2,rate="
#define PICTURES "video/x-raw,width=32,height=24,framerate="

static GstHarness *open_harness(const char *sound, const char *pictures)
{
    GstHarness *harness = gst_harness_new("froth");
    assert_non_null(harness);
    gst_harness_set(harness, "froth", "preset", PRESET, "threads", 1, NULL);
    gst_harness_set_sink_caps_str(harness, pictures);
    gst_harness_set_src_caps_str(harness, sound);
    return harness;
}

static GstBuffer *sound_at(GstClockTime time, guint frames, guint bytes_of_frame)
{
    GstBuffer *buffer = gst_buffer_new_allocate(NULL, (gsize)frames * bytes_of_frame, NULL);
    gst_buffer_memset(buffer, 0, 0x11, (gsize)frames * bytes_of_frame);
    GST_BUFFER_PTS(buffer) = time;
    return buffer;
}

static GstClockTime take_time(GstHarness *harness)
{
    GstBuffer *picture = gst_harness_pull(harness);
    assert_non_null(picture);
    const GstClockTime time = GST_BUFFER_PTS(picture);
    gst_buffer_unref(picture);
    return time;
}

static void take_all(GstHarness *harness)
{
    while (gst_harness_buffers_in_queue(harness) > 0) {
        (void)take_time(harness);
    }
}

/* What a seek that flushes sends downstream. */
static void seek(GstHarness *harness, GstClockTime start)
{
    GstSegment segment;
    gst_segment_init(&segment, GST_FORMAT_TIME);
    segment.start = segment.time = start;
    assert_true(gst_harness_push_event(harness, gst_event_new_flush_start()));
    assert_true(gst_harness_push_event(harness, gst_event_new_flush_stop(TRUE)));
    assert_true(gst_harness_push_event(harness, gst_event_new_segment(&segment)));
}

/* A hundred buffers of odd sizes at 44.1 kHz and 24 pictures a second: each picture comes with the
 * sample that ends it, and none is lost. */
static void samples_are_counted(void **state)
{
    (void)state;
    GstHarness *harness = open_harness(SOUND "44100", PICTURES "24/1");
    guint64 samples = 0;
    guint pictures = 0;
    for (guint i = 0; i < 100; i++) {
        const guint frames = 700 + 13 * i;
        const GstClockTime time = gst_util_uint64_scale(samples, GST_SECOND, 44100);
        assert_int_equal(gst_harness_push(harness, sound_at(time, frames, 4)), GST_FLOW_OK);
        samples += frames;
        while (gst_harness_buffers_in_queue(harness) > 0) {
            assert_int_equal(take_time(harness), gst_util_uint64_scale(pictures, GST_SECOND, 24));
            pictures++;
        }
    }
    assert_in_range(pictures, samples * 24 / 44100 - 1, samples * 24 / 44100);
    assert_true(gst_harness_push_event(harness, gst_event_new_eos()));
    pictures += gst_harness_buffers_in_queue(harness);
    assert_int_equal(pictures, (samples * 24 + 22050) / 44100);
    gst_harness_teardown(harness);
}

static void mono_and_floats_are_heard(void **state)
{
    (void)state;
    static const char sound[] =
        "audio/x-raw,format=" GST_AUDIO_NE(F32) ",layout=interleaved,channels=1,rate=48000";
    GstHarness *harness = open_harness(sound, PICTURES "30/1");
    assert_int_equal(gst_harness_push(harness, sound_at(0, 48000, 4)), GST_FLOW_OK);
    assert_in_range(gst_harness_buffers_in_queue(harness), 28, 30);
    gst_harness_teardown(harness);
}

/* After a flush time is that of the new segment and its first sound. */
static void a_seek_begins_elsewhere(void **state)
{
    (void)state;
    GstHarness *harness = open_harness(SOUND "48000", PICTURES "25/1");
    assert_int_equal(gst_harness_push(harness, sound_at(0, 5000, 4)), GST_FLOW_OK);
    take_all(harness);
    seek(harness, 60 * GST_SECOND);
    assert_int_equal(gst_harness_push(harness, sound_at(60 * GST_SECOND, 9600, 4)), GST_FLOW_OK);
    assert_true(gst_harness_buffers_in_queue(harness) > 0);
    assert_int_equal(take_time(harness), 60 * GST_SECOND);
    gst_harness_teardown(harness);
}

/* A seek after the end hears again. */
static void sound_follows_an_end(void **state)
{
    (void)state;
    GstHarness *harness = open_harness(SOUND "48000", PICTURES "25/1");
    assert_int_equal(gst_harness_push(harness, sound_at(0, 9600, 4)), GST_FLOW_OK);
    assert_true(gst_harness_push_event(harness, gst_event_new_eos()));
    take_all(harness);
    seek(harness, 0);
    assert_int_equal(gst_harness_push(harness, sound_at(0, 48000, 4)), GST_FLOW_OK);
    assert_in_range(gst_harness_buffers_in_queue(harness), 23, 26);
    gst_harness_teardown(harness);
}

static void a_gap_is_silence(void **state)
{
    (void)state;
    GstHarness *harness = open_harness(SOUND "48000", PICTURES "25/1");
    assert_int_equal(gst_harness_push(harness, sound_at(0, 4800, 4)), GST_FLOW_OK);
    assert_true(gst_harness_push_event(harness, gst_event_new_gap(GST_SECOND / 10, GST_SECOND)));
    assert_in_range(gst_harness_buffers_in_queue(harness), 26, 28);
    gst_harness_teardown(harness);
}

/* The picture's size changes in the middle of a stream; the show goes on. */
static void another_size_is_taken(void **state)
{
    (void)state;
    GstHarness *harness = open_harness(SOUND "48000", PICTURES "25/1");
    assert_int_equal(gst_harness_push(harness, sound_at(0, 9600, 4)), GST_FLOW_OK);
    guint64 time = 0;
    while (gst_harness_buffers_in_queue(harness) > 0) {
        time = take_time(harness);
    }
    gst_harness_set_sink_caps_str(harness,
                                  "video/x-raw,format=RGBx,width=48,height=36,framerate=25/1");
    assert_true(gst_harness_push_upstream_event(harness, gst_event_new_reconfigure()));
    assert_int_equal(gst_harness_push(harness, sound_at(GST_SECOND / 5, 9600, 4)), GST_FLOW_OK);
    assert_true(gst_harness_buffers_in_queue(harness) > 0);
    GstBuffer *picture = gst_harness_pull(harness);
    assert_int_equal(gst_buffer_get_size(picture), 48 * 36 * 4);
    assert_int_equal(GST_BUFFER_PTS(picture), time + GST_SECOND / 25);
    gst_buffer_unref(picture);
    gst_harness_teardown(harness);
}

/* Values before there is a show, and while it runs. */
static void values_are_kept(void **state)
{
    (void)state;
    GstHarness *harness = open_harness(SOUND "48000", PICTURES "25/1");
    gdouble advance = 0;
    gboolean lock = FALSE;
    gchar *title = NULL;
    gst_harness_set(harness, "froth", "advance", 7.5, "lock", TRUE, NULL);
    assert_int_equal(gst_harness_push(harness, sound_at(0, 9600, 4)), GST_FLOW_OK);
    gst_harness_get(harness, "froth", "advance", &advance, "lock", &lock, "title", &title, NULL);
    assert_true(advance == 7.5);
    assert_true(lock);
    assert_non_null(strstr(title, "Tidal Glass"));
    g_free(title);
    gboolean obeyed = FALSE;
    GstElement *element = gst_harness_find_element(harness, "froth");
    g_signal_emit_by_name(element, "do", "blackout on", &obeyed);
    assert_true(obeyed);
    g_signal_emit_by_name(element, "do", "no such command", &obeyed);
    assert_false(obeyed);
    gst_object_unref(element);
    take_all(harness);
    assert_int_equal(gst_harness_push(harness, sound_at(GST_SECOND / 5, 9600, 4)), GST_FLOW_OK);
    GstBuffer *picture = gst_harness_pull(harness);
    GstMapInfo map;
    assert_true(gst_buffer_map(picture, &map, GST_MAP_READ));
    for (gsize i = 0; i < map.size; i++) {
        assert_true(map.data[i] == 0 || i % 4 == 3);
    }
    gst_buffer_unmap(picture, &map);
    gst_buffer_unref(picture);
    gst_harness_teardown(harness);
}

static void a_live_source_waits_a_picture(void **state)
{
    (void)state;
    GstHarness *harness = open_harness(SOUND "48000", PICTURES "25/1");
    gst_harness_set_live(harness, TRUE);
    assert_int_equal(gst_harness_push(harness, sound_at(0, 9600, 4)), GST_FLOW_OK);
    assert_int_equal(gst_harness_query_latency(harness), GST_SECOND / 25);
    assert_in_range(gst_harness_buffers_in_queue(harness), 4, 5);
    gst_harness_teardown(harness);
}

/* Pictures that a sink says come too late are left out, and later ones are not. */
static void late_pictures_are_left_out(void **state)
{
    (void)state;
    GstHarness *harness = open_harness(SOUND "48000", PICTURES "25/1");
    assert_int_equal(gst_harness_push(harness, sound_at(0, 9600, 4)), GST_FLOW_OK);
    take_all(harness);
    assert_true(gst_harness_push_upstream_event(
        harness, gst_event_new_qos(GST_QOS_TYPE_UNDERFLOW, 2, GST_SECOND / 2, GST_SECOND / 5)));
    assert_int_equal(gst_harness_push(harness, sound_at(GST_SECOND / 5, 48000, 4)), GST_FLOW_OK);
    assert_in_range(gst_harness_buffers_in_queue(harness), 10, 20);
    assert_in_range(take_time(harness), GST_SECOND / 2, GST_SECOND);
    gst_harness_teardown(harness);
}

static void nothing_is_drawn_of_no_sound(void **state)
{
    (void)state;
    GstHarness *harness = open_harness(SOUND "48000", PICTURES "25/1");
    assert_true(gst_harness_push_event(harness, gst_event_new_eos()));
    assert_int_equal(gst_harness_buffers_in_queue(harness), 0);
    gst_harness_teardown(harness);
}

int main(int argc, char **argv)
{
    gst_init(&argc, &argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_counted),
        cmocka_unit_test(mono_and_floats_are_heard),
        cmocka_unit_test(a_seek_begins_elsewhere),
        cmocka_unit_test(sound_follows_an_end),
        cmocka_unit_test(a_gap_is_silence),
        cmocka_unit_test(another_size_is_taken),
        cmocka_unit_test(values_are_kept),
        cmocka_unit_test(a_live_source_waits_a_picture),
        cmocka_unit_test(late_pictures_are_left_out),
        cmocka_unit_test(nothing_is_drawn_of_no_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
