/* Sound in, pictures out: pads, formats, events, and the loop between them. */
#include "element.h"

GST_DEBUG_CATEGORY_STATIC(froth_debug);
#define GST_CAT_DEFAULT froth_debug

/* Samples that are added to the show at once: what a picture hears is no more at 24 a second. */
enum { PIECE = 4096, WIDTH = 1280, HEIGHT = 720, FPS = 60, SPARE = 2 };

#define FROTH_AUDIO_CAPS                                                                           \
    "audio/x-raw, format = (string) { " GST_AUDIO_NE(F32) ", " GST_AUDIO_NE(                       \
        S16) " }, layout = (string) interleaved, rate = (int) [ 1000, 768000 ], "                  \
             "channels = (int) [ 1, 2 ]"
#define FROTH_VIDEO_CAPS                                                                           \
    "video/x-raw, format = (string) { BGRx, RGBx, BGRA, RGBA, RGB16 }, "                           \
    "width = (int) [ 16, 8192 ], height = (int) [ 16, 8192 ], "                                    \
    "framerate = (fraction) [ 1/1, 1000/1 ]"

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS(FROTH_AUDIO_CAPS));
static GstStaticPadTemplate src_template =
    GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS(FROTH_VIDEO_CAPS));

G_DEFINE_FINAL_TYPE(FrothElement, froth_element, GST_TYPE_ELEMENT)

/* ---- the show ---- */

static void say(void *user, const struct froth_message *message)
{
    FrothElement *self = user;
    const gchar *file = message->file != NULL ? message->file : "froth";
    if (message->severity == FROTH_ERROR) {
        GST_ELEMENT_WARNING(self, STREAM, FAILED,
                            ("%s:%u:%u: %s", file, message->line, message->column, message->what),
                            ("%s", message->hint));
    } else {
        GST_INFO_OBJECT(self, "%s:%u:%u: %s; %s", file, message->line, message->column,
                        message->what, message->hint);
    }
}

/* Makes a show for the pictures that were agreed upon. Holds the lock. */
static gboolean open_show(FrothElement *self, gboolean live)
{
    const GstVideoInfo *video = &self->stream.video;
    struct froth_config config;
    (void)froth_config_begin(&config, sizeof config);
    config.fps_numerator = (uint32_t)GST_VIDEO_INFO_FPS_N(video);
    config.fps_denominator = (uint32_t)GST_VIDEO_INFO_FPS_D(video);
    config.width = GST_VIDEO_INFO_WIDTH(video);
    config.height = GST_VIDEO_INFO_HEIGHT(video);
    config.exact = !live;
    config.seed = self->settings.seed;
    config.threads = (int)self->settings.threads;
    config.transition = self->settings.transition;
    config.random = self->settings.preset == NULL && self->settings.playlist == NULL;
    config.message = say;
    config.user = self;
    int result;
    froth_free(self->show);
    self->show = froth_create(&config, &result);
    self->live = live;
    self->stream.ever = 0;
    if (self->show == NULL) {
        GST_ELEMENT_ERROR(self, LIBRARY, INIT, ("%s", froth_result_text(result)), (NULL));
        return FALSE;
    }
    froth_element_apply_values(self);
    if (!froth_element_load(self)) {
        return FALSE;
    }
    if (live) {
        (void)froth_wait(self->show, 2);
    }
    return TRUE;
}

/* A source that does not wait for its sinks. */
static gboolean has_live_source(FrothElement *self)
{
    GstQuery *query = gst_query_new_latency();
    gboolean live = FALSE;
    if (gst_pad_peer_query(self->sink, query)) {
        gst_query_parse_latency(query, &live, NULL, NULL);
    }
    gst_query_unref(query);
    return live;
}

/* ---- formats ---- */

static void drop_pool(struct stream *stream)
{
    if (stream->pool != NULL) {
        (void)gst_buffer_pool_set_active(stream->pool, FALSE);
        gst_clear_object(&stream->pool);
    }
}

/* Buffers as who takes the pictures wants them. */
static gboolean open_pool(FrothElement *self, GstCaps *caps)
{
    struct stream *stream = &self->stream;
    guint size = (guint)GST_VIDEO_INFO_SIZE(&stream->video);
    guint least = SPARE;
    guint most = 0;
    GstBufferPool *pool = NULL;
    GstQuery *query = gst_query_new_allocation(caps, TRUE);
    if (gst_pad_peer_query(self->src, query) && gst_query_get_n_allocation_pools(query) > 0) {
        guint asked = 0;
        gst_query_parse_nth_allocation_pool(query, 0, &pool, &asked, &least, &most);
        size = MAX(size, asked);
    }
    const gboolean has_meta = gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, NULL);
    gst_query_unref(query);
    if (pool == NULL) {
        pool = gst_video_buffer_pool_new();
    }
    GstStructure *config = gst_buffer_pool_get_config(pool);
    gst_buffer_pool_config_set_params(config, caps, size, least, most);
    if (has_meta) {
        gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
    }
    drop_pool(stream);
    if (!gst_buffer_pool_set_config(pool, config) || !gst_buffer_pool_set_active(pool, TRUE)) {
        gst_object_unref(pool);
        return FALSE;
    }
    stream->pool = pool;
    return TRUE;
}

static GstCaps *choose_caps(FrothElement *self)
{
    GstCaps *caps = gst_pad_get_allowed_caps(self->src);
    if (caps == NULL) {
        caps = gst_pad_get_pad_template_caps(self->src);
    }
    if (gst_caps_is_empty(caps)) {
        gst_caps_unref(caps);
        return NULL;
    }
    caps = gst_caps_make_writable(gst_caps_truncate(caps));
    GstStructure *structure = gst_caps_get_structure(caps, 0);
    (void)gst_structure_fixate_field_nearest_int(structure, "width", WIDTH);
    (void)gst_structure_fixate_field_nearest_int(structure, "height", HEIGHT);
    (void)gst_structure_fixate_field_nearest_fraction(structure, "framerate", FPS, 1);
    if (gst_structure_has_field(structure, "pixel-aspect-ratio")) {
        (void)gst_structure_fixate_field_nearest_fraction(structure, "pixel-aspect-ratio", 1, 1);
    }
    return gst_caps_fixate(caps);
}

/* What was held back until the pictures had a format. */
static void push_held(FrothElement *self)
{
    struct stream *stream = &self->stream;
    GList *held = stream->held;
    stream->held = NULL;
    for (GList *item = held; item != NULL; item = item->next) {
        (void)gst_pad_push_event(self->src, item->data);
    }
    g_list_free(held);
}

/* Pictures of another rate are another show; those of another size go on. */
static gboolean negotiate(FrothElement *self)
{
    struct stream *stream = &self->stream;
    GstVideoInfo video;
    GstCaps *caps = choose_caps(self);
    gboolean agreed = caps != NULL && gst_video_info_from_caps(&video, caps);
    if (agreed) {
        const gboolean same_rate = self->show != NULL && video.fps_n == stream->video.fps_n &&
                                   video.fps_d == stream->video.fps_d;
        stream->video = video;
        agreed = gst_pad_push_event(self->src, gst_event_new_caps(caps)) && open_pool(self, caps);
        push_held(self);
        if (agreed && !same_rate) {
            const gboolean live = has_live_source(self);
            g_mutex_lock(&self->lock);
            agreed = open_show(self, live || !self->settings.exact);
            g_mutex_unlock(&self->lock);
            stream->broken = TRUE;
        }
    }
    if (caps != NULL) {
        gst_caps_unref(caps);
    }
    return agreed;
}

/* ---- pictures ---- */

static GstClockTime time_of(const struct stream *stream, guint64 picture)
{
    return stream->base + gst_util_uint64_scale(picture * GST_SECOND,
                                                (guint64)GST_VIDEO_INFO_FPS_D(&stream->video),
                                                (guint64)GST_VIDEO_INFO_FPS_N(&stream->video));
}

static int format_of(const GstVideoInfo *video)
{
    switch (GST_VIDEO_INFO_FORMAT(video)) {
    case GST_VIDEO_FORMAT_BGRx:
        return FROTH_BGRX;
    case GST_VIDEO_FORMAT_RGBx:
        return FROTH_RGBX;
    case GST_VIDEO_FORMAT_BGRA:
        return FROTH_BGRA;
    case GST_VIDEO_FORMAT_RGBA:
        return FROTH_RGBA;
    default:
        return FROTH_RGB565;
    }
}

/* Whether the picture would come too late to be seen; an exact show is then made live. Holds the
 * lock. */
static gboolean is_missed(FrothElement *self, GstClockTime time)
{
    if (!self->settings.qos || !self->is_late || !GST_CLOCK_TIME_IS_VALID(self->earliest)) {
        return FALSE;
    }
    const guint64 running =
        gst_segment_to_running_time(&self->stream.segment, GST_FORMAT_TIME, time);
    if (!GST_CLOCK_TIME_IS_VALID(running) || running > self->earliest) {
        return FALSE;
    }
    if (!self->live) {
        GST_INFO_OBJECT(self, "pictures come late: the show is no longer exact");
        (void)open_show(self, TRUE);
    }
    return TRUE;
}

static int draw(FrothElement *self, GstBuffer *buffer)
{
    struct stream *stream = &self->stream;
    GstVideoFrame frame;
    if (!gst_video_frame_map(&frame, &stream->video, buffer, GST_MAP_WRITE)) {
        return FROTH_NO_MEMORY;
    }
    const struct froth_picture picture = {
        .pixels = GST_VIDEO_FRAME_PLANE_DATA(&frame, 0),
        .stride = (size_t)GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0),
        .width = GST_VIDEO_FRAME_WIDTH(&frame),
        .height = GST_VIDEO_FRAME_HEIGHT(&frame),
        .format = format_of(&stream->video),
    };
    const double seconds = ((double)stream->ever + 0.5) * GST_VIDEO_INFO_FPS_D(&stream->video) /
                           GST_VIDEO_INFO_FPS_N(&stream->video);
    const int result = self->live ? froth_render_at(self->show, seconds, &picture)
                                  : froth_render(self->show, &picture);
    gst_video_frame_unmap(&frame);
    return result;
}

/* Draws the next picture of the stream and hands it on, or leaves it out. */
static GstFlowReturn push_picture(FrothElement *self)
{
    struct stream *stream = &self->stream;
    if (gst_pad_check_reconfigure(self->src) && !negotiate(self)) {
        return GST_FLOW_NOT_NEGOTIATED;
    }
    const GstClockTime time = time_of(stream, stream->pictures);
    const GstClockTime end = time_of(stream, stream->pictures + 1);
    GstBuffer *buffer = NULL;
    GstFlowReturn flow = gst_buffer_pool_acquire_buffer(stream->pool, &buffer, NULL);
    if (flow != GST_FLOW_OK) {
        return flow;
    }
    g_mutex_lock(&self->lock);
    const gboolean missed = is_missed(self, end);
    const int result = missed ? FROTH_OK : draw(self, buffer);
    g_mutex_unlock(&self->lock);
    const gboolean first = stream->pictures == 0;
    stream->pictures++;
    stream->ever++;
    if (missed || result != FROTH_OK) {
        gst_buffer_unref(buffer);
        if (result != FROTH_OK) {
            GST_ELEMENT_ERROR(self, LIBRARY, FAILED, ("%s", froth_result_text(result)), (NULL));
        }
        return result == FROTH_OK ? GST_FLOW_OK : GST_FLOW_ERROR;
    }
    GST_BUFFER_PTS(buffer) = time;
    GST_BUFFER_DURATION(buffer) = end - time;
    GST_BUFFER_OFFSET(buffer) = stream->ever - 1;
    if (first) {
        GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT);
    }
    return gst_pad_push(self->src, buffer);
}

/* ---- sound ---- */

/* Samples that the next picture of a live show still needs, by the count alone: a conversion looks
 * ahead, and no picture waits for that. */
static guint64 counted(const struct stream *stream)
{
    const guint64 due = gst_util_uint64_scale(stream->pictures + 1,
                                              (guint64)GST_AUDIO_INFO_RATE(&stream->audio) *
                                                  (guint64)GST_VIDEO_INFO_FPS_D(&stream->video),
                                              (guint64)GST_VIDEO_INFO_FPS_N(&stream->video));
    return due > stream->samples ? due - stream->samples : 0;
}

static guint64 wanted(const FrothElement *self)
{
    return self->live ? counted(&self->stream) : froth_sound_wanted(self->show);
}

static int add_sound(FrothElement *self, const guint8 *data, size_t frames)
{
    const GstAudioInfo *audio = &self->stream.audio;
    const int channels = GST_AUDIO_INFO_CHANNELS(audio);
    const uint32_t rate = (uint32_t)GST_AUDIO_INFO_RATE(audio);
    return GST_AUDIO_INFO_FORMAT(audio) == GST_AUDIO_FORMAT_S16
               ? froth_add_sound_int16(self->show, (const int16_t *)(const void *)data, frames,
                                       channels, rate)
               : froth_add_sound_float(self->show, (const float *)(const void *)data, frames,
                                       channels, rate);
}

/* Hears so many samples, and draws each picture as soon as it has heard all of its time. data:
 * NULL for silence. */
static GstFlowReturn hear(FrothElement *self, const guint8 *data, guint64 frames)
{
    static const float silence[2 * PIECE] = {0};
    struct stream *stream = &self->stream;
    const size_t bytes = (size_t)GST_AUDIO_INFO_BPF(&stream->audio);
    while (TRUE) {
        g_mutex_lock(&self->lock);
        const guint64 needs = wanted(self);
        const size_t piece = (size_t)MIN(MIN(needs, frames), PIECE);
        const int result =
            piece > 0 ? add_sound(self, data != NULL ? data : (const guint8 *)silence, piece)
                      : FROTH_OK;
        g_mutex_unlock(&self->lock);
        if (result != FROTH_OK) {
            GST_ELEMENT_ERROR(self, LIBRARY, FAILED, ("%s", froth_result_text(result)), (NULL));
            return GST_FLOW_ERROR;
        }
        if (needs == 0) {
            const GstFlowReturn flow = push_picture(self);
            if (flow != GST_FLOW_OK) {
                return flow;
            }
            continue;
        }
        if (frames == 0) {
            return GST_FLOW_OK;
        }
        stream->samples += piece;
        frames -= piece;
        data = data != NULL ? data + piece * bytes : NULL;
    }
}

static void forget_place(struct stream *stream)
{
    stream->base = GST_CLOCK_TIME_NONE;
    stream->samples = 0;
    stream->pictures = 0;
    stream->broken = TRUE;
}

/* Where a buffer does not follow the one before, time is counted anew from it. */
static void find_place(struct stream *stream, GstClockTime time)
{
    if (!stream->broken && GST_CLOCK_TIME_IS_VALID(stream->base)) {
        return;
    }
    forget_place(stream);
    stream->base = GST_CLOCK_TIME_IS_VALID(time) ? time : stream->segment.start;
    stream->broken = FALSE;
}

static GstFlowReturn take_sound(GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
    (void)pad;
    FrothElement *self = FROTH_ELEMENT(parent);
    struct stream *stream = &self->stream;
    GstFlowReturn flow = GST_FLOW_NOT_NEGOTIATED;
    GstMapInfo map;
    if (GST_AUDIO_INFO_FORMAT(&stream->audio) == GST_AUDIO_FORMAT_UNKNOWN ||
        ((gst_pad_check_reconfigure(self->src) || self->show == NULL) && !negotiate(self))) {
        gst_buffer_unref(buffer);
        return flow;
    }
    stream->broken = stream->broken || GST_BUFFER_IS_DISCONT(buffer);
    buffer = gst_audio_buffer_clip(buffer, &stream->segment, GST_AUDIO_INFO_RATE(&stream->audio),
                                   GST_AUDIO_INFO_BPF(&stream->audio));
    if (buffer == NULL) {
        return GST_FLOW_OK;
    }
    find_place(stream, GST_BUFFER_PTS(buffer));
    flow = GST_FLOW_ERROR;
    if (gst_buffer_map(buffer, &map, GST_MAP_READ)) {
        flow = hear(self, GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP) ? NULL : map.data,
                    map.size / (gsize)GST_AUDIO_INFO_BPF(&stream->audio));
        gst_buffer_unmap(buffer, &map);
    }
    gst_buffer_unref(buffer);
    return flow;
}

/* Silence for as long as upstream says that there is no sound. */
static GstFlowReturn take_gap(FrothElement *self, GstEvent *event)
{
    GstClockTime time;
    GstClockTime duration;
    gst_event_parse_gap(event, &time, &duration);
    if (self->show == NULL || !GST_CLOCK_TIME_IS_VALID(duration)) {
        return GST_FLOW_OK;
    }
    find_place(&self->stream, time);
    return hear(self, NULL,
                gst_util_uint64_scale(duration, (guint64)GST_AUDIO_INFO_RATE(&self->stream.audio),
                                      GST_SECOND));
}

/* The pictures that the sound's last part of a picture and what a conversion holds back still make:
 * as many in all as `froth render` makes of such a sound. */
static void finish(FrothElement *self)
{
    struct stream *stream = &self->stream;
    if (self->show == NULL || stream->samples == 0) {
        return;
    }
    const guint64 second = (guint64)GST_AUDIO_INFO_RATE(&stream->audio) *
                           (guint64)GST_VIDEO_INFO_FPS_D(&stream->video);
    const guint64 pictures =
        MAX(gst_util_uint64_scale_round(stream->samples,
                                        (guint64)GST_VIDEO_INFO_FPS_N(&stream->video), second),
            1);
    g_mutex_lock(&self->lock);
    (void)froth_end_sound(self->show);
    g_mutex_unlock(&self->lock);
    while (stream->pictures < pictures && push_picture(self) == GST_FLOW_OK) {
    }
}

/* ---- events and queries ---- */

static gboolean take_caps(FrothElement *self, GstEvent *event)
{
    GstCaps *caps;
    GstAudioInfo audio;
    gst_event_parse_caps(event, &caps);
    const gboolean good = gst_audio_info_from_caps(&audio, caps);
    if (good) {
        self->stream.audio = audio;
        self->stream.broken = TRUE;
    }
    gst_event_unref(event);
    return good;
}

static gboolean take_segment(FrothElement *self, GstEvent *event)
{
    const GstSegment *segment;
    gst_event_parse_segment(event, &segment);
    if (segment->format != GST_FORMAT_TIME) {
        gst_event_unref(event);
        return FALSE;
    }
    gst_segment_copy_into(segment, &self->stream.segment);
    return TRUE;
}

static void flush(FrothElement *self)
{
    forget_place(&self->stream);
    gst_segment_init(&self->stream.segment, GST_FORMAT_TIME);
    g_mutex_lock(&self->lock);
    self->is_late = FALSE;
    self->earliest = GST_CLOCK_TIME_NONE;
    g_mutex_unlock(&self->lock);
}

static gboolean take_sink_event(GstPad *pad, GstObject *parent, GstEvent *event)
{
    FrothElement *self = FROTH_ELEMENT(parent);
    struct stream *stream = &self->stream;
    GstFlowReturn flow;
    switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_CAPS:
        return take_caps(self, event);
    case GST_EVENT_GAP:
        flow = take_gap(self, event);
        gst_event_unref(event);
        return flow == GST_FLOW_OK;
    case GST_EVENT_SEGMENT:
        if (!take_segment(self, event)) {
            return FALSE;
        }
        break;
    case GST_EVENT_FLUSH_STOP:
        flush(self);
        break;
    case GST_EVENT_EOS:
        finish(self);
        break;
    default:
        break;
    }
    const gboolean follows_caps = GST_EVENT_IS_STICKY(event) &&
                                  GST_EVENT_TYPE(event) > GST_EVENT_CAPS &&
                                  GST_EVENT_TYPE(event) != GST_EVENT_EOS;
    if (follows_caps && !gst_pad_has_current_caps(self->src)) {
        stream->held = g_list_append(stream->held, event);
        return TRUE;
    }
    return gst_pad_event_default(pad, parent, event);
}

static gboolean take_src_event(GstPad *pad, GstObject *parent, GstEvent *event)
{
    FrothElement *self = FROTH_ELEMENT(parent);
    if (GST_EVENT_TYPE(event) == GST_EVENT_QOS) {
        gdouble proportion;
        GstClockTimeDiff late;
        GstClockTime time;
        gst_event_parse_qos(event, NULL, &proportion, &late, &time);
        g_mutex_lock(&self->lock);
        self->is_late = late > 0;
        self->earliest = GST_CLOCK_TIME_IS_VALID(time) && late > 0 ? time + (GstClockTime)late
                                                                   : GST_CLOCK_TIME_NONE;
        g_mutex_unlock(&self->lock);
        gst_event_unref(event);
        return TRUE;
    }
    return gst_pad_event_default(pad, parent, event);
}

/* A picture is there when it has heard all of its time. */
static gboolean add_latency(FrothElement *self, GstQuery *query)
{
    gboolean live;
    GstClockTime least;
    GstClockTime most;
    if (!gst_pad_peer_query(self->sink, query)) {
        return FALSE;
    }
    gst_query_parse_latency(query, &live, &least, &most);
    const GstVideoInfo *video = &self->stream.video;
    const gint fps_n = GST_VIDEO_INFO_FPS_N(video);
    const GstClockTime own =
        gst_util_uint64_scale(GST_SECOND, (guint64)(fps_n > 0 ? GST_VIDEO_INFO_FPS_D(video) : 1),
                              (guint64)(fps_n > 0 ? fps_n : FPS));
    gst_query_set_latency(query, live, least + own,
                          GST_CLOCK_TIME_IS_VALID(most) ? most + own : GST_CLOCK_TIME_NONE);
    return TRUE;
}

static gboolean answer(GstPad *pad, GstObject *parent, GstQuery *query)
{
    return GST_QUERY_TYPE(query) == GST_QUERY_LATENCY ? add_latency(FROTH_ELEMENT(parent), query)
                                                      : gst_pad_query_default(pad, parent, query);
}

/* ---- its life ---- */

static void stop(FrothElement *self)
{
    struct stream *stream = &self->stream;
    g_mutex_lock(&self->lock);
    froth_free(self->show);
    self->show = NULL;
    g_mutex_unlock(&self->lock);
    drop_pool(stream);
    g_list_free_full(stream->held, (GDestroyNotify)gst_event_unref);
    stream->held = NULL;
    gst_audio_info_init(&stream->audio);
    gst_video_info_init(&stream->video);
    flush(self);
}

static GstStateChangeReturn change_state(GstElement *element, GstStateChange change)
{
    FrothElement *self = FROTH_ELEMENT(element);
    const GstStateChangeReturn result =
        GST_ELEMENT_CLASS(froth_element_parent_class)->change_state(element, change);
    if (change == GST_STATE_CHANGE_PAUSED_TO_READY) {
        stop(self);
    }
    return result;
}

static void finalize(GObject *object)
{
    FrothElement *self = FROTH_ELEMENT(object);
    stop(self);
    froth_element_free_settings(self);
    g_mutex_clear(&self->lock);
    G_OBJECT_CLASS(froth_element_parent_class)->finalize(object);
}

static void froth_element_class_init(FrothElementClass *klass)
{
    GstElementClass *elements = GST_ELEMENT_CLASS(klass);
    GST_DEBUG_CATEGORY_INIT(froth_debug, "froth", 0, "pictures of sound");
    G_OBJECT_CLASS(klass)->finalize = finalize;
    elements->change_state = change_state;
    froth_element_install_values(klass);
    gst_element_class_add_static_pad_template(elements, &sink_template);
    gst_element_class_add_static_pad_template(elements, &src_template);
    gst_element_class_set_static_metadata(elements, "froth", "Visualization",
                                          "Paints sound with MilkDrop presets", "froth");
}

static void froth_element_init(FrothElement *self)
{
    g_mutex_init(&self->lock);
    froth_element_init_settings(self);
    self->sink = gst_pad_new_from_static_template(&sink_template, "sink");
    gst_pad_set_chain_function(self->sink, take_sound);
    gst_pad_set_event_function(self->sink, take_sink_event);
    gst_element_add_pad(GST_ELEMENT(self), self->sink);
    self->src = gst_pad_new_from_static_template(&src_template, "src");
    gst_pad_set_event_function(self->src, take_src_event);
    gst_pad_set_query_function(self->src, answer);
    gst_element_add_pad(GST_ELEMENT(self), self->src);
    stop(self);
}

/* ---- the plug-in ---- */

static gboolean open_plugin(GstPlugin *plugin)
{
    return gst_element_register(plugin, "froth", GST_RANK_NONE, froth_element_get_type());
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, froth, "Paints sound with MilkDrop presets",
                  open_plugin, FROTH_VERSION, "MPL", "froth", "froth")
