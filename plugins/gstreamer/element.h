/* The GStreamer element `froth`: sound in, pictures out.
 *
 * Pictures are counted in samples: picture n of a stream hears the samples from floor(n * rate /
 * fps) on, and its time is that of the first sample and n / fps, however long it runs. Where the
 * show is exact, pictures are those of `froth render`. A live source, and a sink that says that
 * pictures come late, make it live: presets are made ready by a thread of their own, and steps are
 * left out.
 *
 * The streaming thread holds the lock while it draws a picture; properties and the action `do` take
 * it too, so that they wait for one picture at most. */
#ifndef PLUGINS_GSTREAMER_ELEMENT_H
#define PLUGINS_GSTREAMER_ELEMENT_H

#include <gst/audio/audio.h>
#include <gst/video/video.h>

#include <froth.h>

G_BEGIN_DECLS

G_DECLARE_FINAL_TYPE(FrothElement, froth_element, FROTH, ELEMENT, GstElement)

/* What a host has set, before there is a show as well. */
struct settings {
    gchar *preset;     /* a file, or NULL */
    gchar *playlist;   /* a folder, list or file, or NULL */
    gchar *transition; /* or NULL */
    guint64 seed;
    guint threads; /* 0: one for each processor */
    gboolean exact;
    gboolean qos;
    gdouble *values;  /* one for each row of froth_value_info */
    gboolean *chosen; /* one for each row: it was set */
};

/* What the streaming thread knows. */
struct stream {
    GstAudioInfo audio;
    GstVideoInfo video; /* of no format before it was negotiated */
    GstBufferPool *pool;
    GstSegment segment;
    GList *held;       /* events that follow the caps, in their order */
    GstClockTime base; /* time of the first sample since the start or the last break */
    guint64 samples;   /* that were heard since then */
    guint64 pictures;  /* that were drawn or left out since then */
    guint64 ever;      /* the same since the show began */
    gboolean broken;   /* the next buffer does not follow the one before */
};

struct _FrothElement {
    GstElement element;
    GstPad *sink;
    GstPad *src;
    struct stream stream;

    GMutex lock;           /* guards what follows */
    froth *show;           /* NULL before the first sound */
    gboolean live;         /* the show is not exact */
    gboolean is_late;      /* a sink says that pictures come too late to be seen */
    GstClockTime earliest; /* running time before which they would */
    struct settings settings;
};

/* Properties of the class, and the action `do`. To be called once for the class. */
void froth_element_install_values(FrothElementClass *klass);

void froth_element_init_settings(FrothElement *self);
void froth_element_free_settings(FrothElement *self);

/* Gives a new show all values that were set. Holds the lock. */
void froth_element_apply_values(FrothElement *self);

/* Makes the show show what is set. Holds the lock. False if there is nothing that can be shown; why
 * was posted. */
gboolean froth_element_load(FrothElement *self);

G_END_DECLS

#endif
