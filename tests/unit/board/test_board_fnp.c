#include "../presets/test_presets_help.h"
#include "board/language/language.h"
#include "presets/presets.h"

/* Reads a text as NAME.fnp. */
static int read_patch(struct preset *preset, const char *text, struct base_diag_list *messages)
{
    *messages = (struct base_diag_list){0};
    const struct base_diag_sink sink = base_diag_list_sink(messages);
    return preset_read(preset, "set/patch.fnp", text, strlen(text), &sink);
}

static void read_good(struct preset *preset, const char *text)
{
    struct base_diag_list messages;
    assert_int_equal(read_patch(preset, text, &messages), 0);
    assert_int_equal(messages.by_severity[BASE_ERROR], 0);
    assert_int_equal(preset->language, PRESET_LANGUAGE_BOARD);
}

static void assert_programs(const char *text, const char *frame, const char *vertex)
{
    struct preset preset;
    read_good(&preset, text);
    assert_source(&preset.per_frame, frame);
    assert_source(&preset.per_vertex, vertex);
    preset_free(&preset);
}

static void assert_expression(const char *expression, const char *wanted)
{
    char text[256];
    char line[256];
    (void)snprintf(text, sizeof text, "per_frame: q1 = %s", expression);
    (void)snprintf(line, sizeof line, "q1=%s;|", wanted);
    assert_programs(text, line, "");
}

/* count times a text between two others. */
static char *repeated(const char *first, const char *text, size_t count, const char *last)
{
    const size_t size = strlen(text);
    char *all = malloc(strlen(first) + size * count + strlen(last) + 1);
    assert_non_null(all);
    char *at = all + sprintf(all, "%s", first);
    for (size_t i = 0; i < count; i++, at += size) {
        memcpy(at, text, size);
    }
    (void)sprintf(at, "%s", last);
    return all;
}

static void test_defaults(void **state)
{
    (void)state;
    struct preset preset;
    read_good(&preset, "per_frame:");
    assert_string_equal(preset.name, "patch");
    assert_true(preset.decay == 1.0f && preset.zoom == 1.0f && preset.warp == 0.0f);
    assert_true(preset.warp_speed == 0.0f && preset.warp_scale == 1.0f);
    assert_true(preset.mv_x == 16.0f && preset.mv_y == 12.0f && preset.mv_a == 0.0f);
    assert_true(preset.mv_dx == 0.02f && preset.mv_l == 1.0f && preset.mv_r == 0.0f);
    assert_true(preset.echo_zoom == 1.0f && preset.gamma == 1.0f && preset.wrap == 0);
    assert_true(preset.ob_size == 0.0f && preset.ib_r == 0.0f && preset.wave_r == 1.0f);
    assert_int_equal(preset.wave_mode, 1);
    assert_true(preset.wave_a == 0.0f); /* the board draws no such wave */
    assert_int_equal(preset.version, 100);
    preset_free(&preset);
}

static void test_initial_values(void **state)
{
    (void)state;
    struct preset preset;
    read_good(&preset, "fDecay = 0.5; decay=0.25 // the last one counts\n"
                       "nWaveMode=6 wave_a=0.75\nbTexWrap=1\n/* a\nb */ dx = - .125\n"
                       "own = 0\nq3 = -2.5\ndmx2=1\nnMotionVectorsX=3.");
    assert_true(preset.decay == 0.25f && preset.dx == -0.125f && preset.mv_x == 3.0f);
    assert_true(preset.wave_mode == 6 && preset.wave_a == 0.75f && preset.wrap == 1);
    assert_source(&preset.init, "q3=-2.5;|");
    assert_source(&preset.per_frame, "dmx2=1;|");
    assert_int_equal(preset.per_frame.lines[0].line, 8);
    preset_free(&preset);
}

static void test_comments(void **state)
{
    (void)state;
    assert_programs("zoom /* a */ = // b\n 1\nper_frame /* c */ // d\n /**/ :\n"
                    "q1 = sin /* e */ (1) + min// f\n(1, 2)\nper_vertex//g\n:q2 = /* ( */ 2",
                    "q1=sin(1)+min(1,2);|", "v_q2=2;|");
    assert_programs("per_frame_1 /* a */ = q1 = bass /* b */ /2;", "q1=bass/2;|", "");
}

static void test_expressions(void **state)
{
    (void)state;
    assert_expression("1+2*3-4/5", "1+2*3-4/5");
    assert_expression("(1+2)*(3-4)/5", "(1+2)*(3-4)/5");
    assert_expression("1-(2-3)", "1-(2-3)");
    assert_expression("1*(2*3)", "1*(2*3)");
    assert_expression("-(1+2)*3", "(-(1+2))*3");
    assert_expression("--1", "(-(-1))");
    assert_expression("time % 3", "_rest(time,3)");
    assert_expression("int(bass)", "i2f(f2i(bass))");
    assert_expression("bass == mid", "_same(bass,mid)");
    assert_expression("equal(bass,1)", "_same(bass,1)");
    assert_expression("bass != mid", "bnot(_same(bass,mid))");
    assert_expression("bass > 1 && mid", "band(above(bass,1),bnot(_same(mid,0)))");
    assert_expression("1 || 2 && 3",
                      "bor(bnot(_same(1,0)),band(bnot(_same(2,0)),bnot(_same(3,0))))");
    assert_expression("bass < 1 == mid >= 2", "_same(below(bass,1),_aboeq(mid,2))");
    assert_expression("!bass", "_same(bass,0)");
    assert_expression("bass > 1 ? 2 : mid > 3 ? 4 : 5", "if(above(bass,1),2,if(above(mid,3),4,5))");
    assert_expression("if(q2,1,2)", "if(bnot(_same(q2,0)),1,2)");
    assert_expression("tsign(quake(isin(f2i(q2))),invsqrt(icos(3)))",
                      "tsign(quake(isin(f2i(q2))),invsqrt(icos(3)))");
    assert_expression("pow(2,atan2(1,2))", "pow(2,atan2(1,2))");
}

static void test_names(void **state)
{
    (void)state;
    assert_programs("per_frame: fWaveAlpha = fDecay nVideoEchoOrientation = 2",
                    "wave_a=decay;|echo_orient=2;|wave_a=0;|", "");
    assert_programs("per_frame: a = 1 A = a my_Var = sin sin = A gamma = 1 q9 = 2 x = 3",
                    "u_a=1;|u__a=u_a;|u_my___var=u_sin;|u_sin=u__a;|u_gamma=1;|u_q9=2;|u_x=3;|",
                    "");
}

static void test_vertices(void **state)
{
    (void)state;
    /* Nothing is there before it is assigned, and what froth hands on has another name. */
    assert_programs("per_vertex: w = w + x w = w + 1 zoom = zoom*w q1 = q1 + 1 rot = q1 decay = 2",
                    "", "u_w=0+x;|u_w=u_w+1;|zoom=zoom*u_w;|v_q1=q1+1;|rot=v_q1;|u_decay=2;|");
    assert_programs("per_vertex: time = time + x bass = bass if y > x", "q32=time;|",
                    "time=q32;|time=time+x;|v_bass=if(above(y,x),bass,bass);|");
}

/* What comes from outside is read-only: what per-frame equations make of it is theirs alone. */
static void test_inputs_are_read_only(void **state)
{
    (void)state;
    static const char text[] = "per_frame: q1 = bass bass = bass*2 if time > 1 q2 = bass\n"
                               "bass = bass + 1 time = 3\n"
                               "per_vertex: dx = bass rot = time mid = bass q3 = mid";
    struct preset preset;
    struct base_diag_list messages;
    assert_int_equal(read_patch(&preset, text, &messages), 0);
    assert_source(&preset.per_frame, "q1=bass;|f_bass=if(above(time,1),bass*2,bass);|q2=f_bass;|"
                                     "f_bass=f_bass+1;|f_time=3;|");
    assert_source(&preset.per_vertex, "dx=bass;|rot=time;|v_mid=bass;|v_q3=v_mid;|");
    assert_int_equal(messages.count, 2);
    assert_int_equal(messages.by_severity[BASE_WARNING], 2);
    assert_non_null(strstr(messages.items[0].what, "'bass' comes from outside and is read-only"));
    assert_int_equal(messages.items[0].place.column, 22);
    assert_int_equal(messages.items[1].place.line, 2);
    preset_free(&preset);
}

static void test_conditions(void **state)
{
    (void)state;
    assert_programs("per_frame: a = 1 if bass > 2; zoom = 3 if (mid)\nper_vertex: b = 2 if x > y",
                    "u_a=if(above(bass,2),1,u_a);|zoom=if(bnot(_same(mid,0)),3,zoom);|",
                    "u_b=if(above(x,y),2,0);|");
}

static void test_old_style(void **state)
{
    (void)state;
    struct preset old;
    struct preset new;
    read_good(&old, "[preset00]\nfDecay=0.5\nzoom=1.5\nper_frame=a = a+1;\nq1 = a\n"
                    "per_vertex_3=zoom=q1*rad;\nper_pixel_1=dx = 0.1;\n");
    read_good(&new, "fDecay = 0.5 zoom = 1.5 per_frame: a = a+1 q1 = a\n"
                    "per_vertex: zoom = q1*rad dx = 0.1");
    assert_true(preset_equal(&old, &new));
    assert_round_trip(&new);
    preset_free(&old);
    preset_free(&new);
}

static void test_recognised_by_content(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool board;
    } rows[] = {
        {"zoom=1\nper_frame_1=a=1;\nper_pixel_1=zoom=2;\n", false},
        {"zoom=1\nper_frame=a=1;\n", true},
        {"zoom=1\n  per_vertex :\n", true},
        {"zoom=1\nper_vertex_7=zoom=2;\n", true},
        {"zoom=1\nmidi \"x\" { }\n", true},
        {"zoom=1\nimagefile1=a b.png\n", true},
        {"zoom=1\nmid=0\n", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct preset preset;
        struct base_diag_list messages;
        assert_int_equal(read_bytes(&preset, rows[i].text, strlen(rows[i].text), &messages), 0);
        assert_int_equal(preset.language == PRESET_LANGUAGE_BOARD, rows[i].board);
        assert_round_trip(&preset);
        preset_free(&preset);
    }
}

static void test_midi(void **state)
{
    (void)state;
    struct preset preset;
    read_good(&preset,
              "midi \"Faders\" { one = fader(7); two = pot(3, 9), d = differential(16, 0)\n"
              "b = button(64) s = switch(127) }\n"
              "speed = range(one) zoom = 1.5 zoom = unbounded(d)\n"
              "hue = cyclic(two) go = button(b) wave_r = switch(s)\n"
              "per_frame: rot = speed*go q1 = hue\nper_vertex: dx = speed");
    assert_int_equal(preset.binding_count, 5);
    const struct preset_binding wanted[] = {
        {"b_speed", PRESET_ELEMENT_FADER, PRESET_WAY_RANGE, 0, 7, 0.0f},
        {"zoom", PRESET_ELEMENT_DIFFERENTIAL, PRESET_WAY_UNBOUNDED, 16, 0, 1.5f},
        {"b_hue", PRESET_ELEMENT_POT, PRESET_WAY_CYCLIC, 3, 9, 0.0f},
        {"b_go", PRESET_ELEMENT_BUTTON, PRESET_WAY_BUTTON, 0, 64, 0.0f},
        {"wave_r", PRESET_ELEMENT_SWITCH, PRESET_WAY_SWITCH, 0, 127, 1.0f},
    };
    for (size_t i = 0; i < preset.binding_count; i++) {
        assert_string_equal(preset.bindings[i].variable, wanted[i].variable);
        assert_int_equal(preset.bindings[i].element, wanted[i].element);
        assert_int_equal(preset.bindings[i].way, wanted[i].way);
        assert_int_equal(preset.bindings[i].channel, wanted[i].channel);
        assert_int_equal(preset.bindings[i].controller, wanted[i].controller);
        assert_true(preset.bindings[i].initial == wanted[i].initial);
    }
    assert_source(&preset.per_frame, "rot=b_speed*b_go;|q1=b_hue;|");
    assert_source(&preset.per_vertex, "dx=0;|");
    assert_round_trip(&preset);
    preset_free(&preset);
    /* Equations may change it afterwards, for the rest of the frame. */
    read_good(&preset, "midi \"x\" { f = fader(3) } a = range(f)\n"
                       "per_frame: q1 = a a = a + 1 if bass q2 = a\nper_vertex: a = a + 2");
    assert_source(&preset.per_frame, "q1=b_a;|u_a=if(bnot(_same(bass,0)),b_a+1,b_a);|q2=u_a;|");
    assert_source(&preset.per_vertex, "u_a=0+2;|");
    preset_free(&preset);
    /* Where nothing is heard, on the desktop, the initial value stays. */
    read_good(&preset, "midi \"x\" { a = fader(3) } q1 = 0.75 q1 = range(a)");
    assert_source(&preset.init, "q1=0.75;|");
    assert_true(preset.bindings[0].initial == 0.75f);
    preset_free(&preset);
}

static void assert_images(const char *text, const char *const *wanted, size_t count)
{
    struct preset preset;
    read_good(&preset, text);
    for (size_t i = 0; i < PRESET_IMAGES; i++) {
        if (i >= count || wanted[i] == NULL) {
            assert_null(preset.images[i]);
        } else {
            assert_non_null(preset.images[i]);
            assert_string_equal(preset.images[i], wanted[i]);
        }
    }
    assert_round_trip(&preset);
    preset_free(&preset);
}

/* spec/flickernoise-patch-language.md section 4 */
static void test_images(void **state)
{
    (void)state;
    static const char *const bare[] = {"/ssd/a b.png", "c.jpg", NULL, "my, sun.png", NULL,
                                       NULL,           NULL,    NULL, "last.jpeg"};
    assert_images("zoom=1\nimagefile1 = /ssd/a b.png // the first\nimagefile2=c.jpg;\r\n"
                  "imagefile4=\"my, sun.png\" imagefile5=\nimagefile9=last.jpeg",
                  bare, 9);
    assert_images("imagefile1=/ssd/a b.png\nimagefile2=c.jpg /* two */\n"
                  "imagefile4=my, sun.png\nimagefile9=last.jpeg\nper_frame_1=zoom=1;",
                  bare, 9);
    static const char *const listed[] = {"a.png", "b 2.png", "c.png", "/d/e.png"};
    assert_images(
        "imagefiles = sun: \"a.png\", \"b 2.png\",\n moon : c.png , star:\"/d/e.png\" dx=1", listed,
        4);
    assert_images("imagefiles = a.png, b 2.png, c.png,\n\"/d/e.png\"\nper_frame:", listed, 4);
    struct preset preset;
    struct base_diag_list messages;
    assert_int_equal(read_patch(&preset,
                                "imagefiles = sun: \"a.png\", \"b.png\", moon: \"c.png\"\n"
                                "per_frame: image1_index = moon + sun image1_a = 1 video_a = 1\n"
                                "q1 = osc2",
                                &messages),
                     0);
    assert_source(&preset.per_frame, "image1_index=2+0;|image1_a=1;|video_a=1;|q1=osc2;|");
    assert_int_equal(messages.by_severity[BASE_WARNING], 1);
    preset_free(&preset);
    char *name = repeated("imagefile1 = ", "a", BOARD_FNP_FILE_MAX, "\n");
    read_good(&preset, name);
    preset_free(&preset);
    free(name);
    name = repeated("zoom=1 imagefile1 = ", "a", BOARD_FNP_FILE_MAX + 1, "\n");
    assert_int_equal(read_patch(&preset, name, &messages), -1);
    assert_int_equal(messages.items[0].place.column, 8);
    free(name);
    char *many = repeated("imagefiles = a.png", ", b.png", PRESET_VIDEO + 1, "");
    assert_int_equal(read_patch(&preset, many, &messages), 0);
    assert_string_equal(preset.images[PRESET_VIDEO - 1], "b.png");
    assert_null(preset.images[PRESET_VIDEO]);
    assert_int_equal(messages.count, 1);
    preset_free(&preset);
    free(many);
}

static void test_live_video(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line;
        unsigned column;
    } rows[] = {
        {"zoom=1\n video_a=0.7", 2, 2},
        {"video_a=0\nper_frame:\nvideo_a=above(bass,1)", 1, 1},
        {"per_frame:\n\nq1=1 video_a=q1 video_a=0", 3, 6},
        {"midi \"x\" { f = fader(1) }\nvideo_a=range(f)", 0, 0},
        {"video_a=0\nper_frame: q1=video_a", 0, 0},
        {"wave_a=1", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct preset preset;
        struct base_diag_list messages;
        assert_int_equal(read_patch(&preset, rows[i].text, &messages), 0);
        const bool draws = i < 4;
        assert_int_equal(messages.by_severity[BASE_WARNING], draws);
        assert_true((preset.images[PRESET_VIDEO] != NULL) == draws);
        if (rows[i].line > 0) {
            assert_string_equal(preset.images[PRESET_VIDEO], "video.png");
            assert_int_equal(messages.items[0].place.line, rows[i].line);
            assert_int_equal(messages.items[0].place.column, rows[i].column);
        }
        preset_free(&preset);
    }
}

static void test_milk_keys_are_left_out(void **state)
{
    (void)state;
    struct preset preset;
    struct base_diag_list messages;
    assert_int_equal(read_patch(&preset,
                                "[preset00]\nfRating=3\nfGammaAdj=2\nfShader=1\nper_frame_1=a=1;",
                                &messages),
                     0);
    assert_int_equal(messages.count, 1);
    assert_int_equal(messages.items[0].place.line, 2);
    assert_true(preset.gamma == 1.0f && preset.shader == 0.0f);
    preset_free(&preset);
    /* Not even their values count; those of the board's own do. */
    assert_int_equal(
        read_patch(&preset, "fWaveParam=-\nfRating= off, 3\nzoom=2\nfWaveParam=", &messages), 0);
    assert_int_equal(messages.count, 1);
    assert_true(preset.zoom == 2.0f);
    preset_free(&preset);
    assert_int_equal(read_patch(&preset, "fWaveScale=-\nzoom=2", &messages), -1);
}

static void test_signs(void **state)
{
    (void)state;
    struct preset preset;
    read_good(&preset, "per_frame: a=b*+.5; a=if(below(b,0),+ 2*b,-+-b)\nzoom=+1.5-+dx");
    assert_source(&preset.per_frame, "u_a=u_b*.5;|u_a=if(below(u_b,0),2*u_b,(-(-u_b)));|"
                                     "zoom=1.5-dx;|");
    preset_free(&preset);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line;
        uint32_t column;
        const char *what;
    } rows[] = {
        {"per_frame: a = (1", 1, 18, "')' is missing"},
        {"per_frame: a = 1 +\n", 2, 1, "an operand is missing"},
        {"per_frame: a = +\n", 2, 1, "an operand is missing"},
        {"per_frame:\n  a = foo(1)", 2, 7, "unknown function 'foo'"},
        {"per_frame: a = sin(1,2)", 1, 21, "')' is missing"},
        {"per_frame: a = min(1)", 1, 21, "',' is missing"},
        {"per_frame: a = 1 ? 2", 1, 21, "':' is missing"},
        {"per_frame: a = 1e3", 1, 16, "malformed number"},
        {"per_frame: a = 1.2.3", 1, 16, "malformed number"},
        {"per_frame: a + 1", 1, 14, "'=' is missing"},
        {"per_frame: 3 = a", 1, 12, "the name of a variable"},
        {"per_frame: a = b = c", 1, 18, "the name of a variable"},
        {"per_frame: a = 1 if", 1, 20, "an operand is missing"},
        {"per_frame: a = $", 1, 16, "unexpected character"},
        {"per_frame: a = \xE9", 1, 16, "unexpected byte 0xE9"},
        {"zoom = 1\r\n /* never\r", 2, 2, "the comment has no end"},
        {"zoom = a", 1, 8, "must be a number"},
        {"\nfoo = 3", 2, 1, "'foo' has no initial value"},
        {"x = 0", 1, 1, "'x' has no initial value"},
        {"time = 0", 1, 1, "'time' has no initial value"},
        {"per_vertex:\nper_frame:", 2, 1, "wrong place"},
        {"per_frame:\nper_frame:", 2, 1, "wrong place"},
        {"per_frame=a=1;\nper_vertex:", 2, 1, "style mismatch"},
        {"per_frame:\nper_vertex=a=1", 2, 1, "style mismatch"},
        {"foo=0\nper_frame_1=a=1", 2, 1, "style mismatch"},
        {"midi \"x\" { a = fader(128) }", 1, 22, "a controller from 0 to 127"},
        {"midi \"x\" { a = fader(17, 3) }", 1, 22, "a channel from 1 to 16"},
        {"midi \"x\" { a = knob(3) }", 1, 16, "unknown kind of control"},
        {"midi \"x\" { a = fader(3)", 1, 24, "the name of a control"},
        {"midi \"x { }", 1, 6, "the text has no end"},
        {"zoom = range(a)", 1, 14, "there is no control 'a'"},
        {"midi \"x\" { a = fader(3) } time = range(a)", 1, 27, "'time' cannot be bound"},
        {"imagefiles = zoom: \"a\"", 1, 14, "'zoom' is a variable"},
        {"imagefiles = t: 3", 1, 17, "a file's name"},
        {"imagefiles = t: \"a\" per_frame: t = 1", 1, 32, "'t' is the tag"},
        {"midi \"x\" { a = fader(3) } imagefiles = t: \"a\" t = range(a)", 1, 47, "'t' is the tag"},
        {"midi \"x\" { a = fader(3) } t = range(a) imagefiles = t: \"a\"", 1, 53, "'t' is bound"},
        {"imagefiles = t: \"a\", t: \"b\"", 1, 22, "'t' is the tag"},
        {"midi \"x\" { a = fader(3.5) }", 1, 22, "a controller from 0 to 127"},
        {"per_frame: a = sin /* never", 1, 20, "the comment has no end"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct preset preset;
        struct base_diag_list messages;
        assert_int_equal(read_patch(&preset, rows[i].text, &messages), -1);
        assert_int_equal(messages.by_severity[BASE_ERROR], 1);
        const struct base_diag *diag = &messages.items[messages.count - 1];
        if (strstr(diag->what, rows[i].what) == NULL || diag->place.line != rows[i].line ||
            diag->place.column != rows[i].column) {
            fail_msg("%s: %u:%u %s", rows[i].text, (unsigned)diag->place.line,
                     (unsigned)diag->place.column, diag->what);
        }
    }
}

/* Where the statement begins that is one too many. */
static void test_place_of_what_is_too_long(void **state)
{
    (void)state;
    struct preset preset;
    struct base_diag_list messages;
    char *text = repeated("per_frame: b = 1\n  a = 1", "*bass", 8000, "\n c = 1");
    assert_int_equal(read_patch(&preset, text, &messages), -1);
    assert_int_equal(messages.items[0].place.line, 2);
    assert_int_equal(messages.items[0].place.column, 3);
    free(text);
}

static void test_limits(void **state)
{
    (void)state;
    static const struct {
        const char *first;
        const char *text;
        size_t count;
        const char *last;
        const char *what; /* NULL: it is read */
    } rows[] = {
        {"per_frame: a = 1", "+1", 8000, "", NULL},
        {"per_frame: a = 1", "*a", 20000, "", "longer than"},
        {"per_frame: a = 1", "*a", 500000, "", "longer than"},
        {"per_frame: a = ", "(", 50, "1", "')' is missing"},
        {"per_frame: a = ", "(", 100000, "1", "nested too deeply"},
        {"per_frame: a = ", "-", 100000, "1", "nested too deeply"},
        {"per_frame: a = ", "1?", 100000, "1", "nested too deeply"},
        {"per_frame: a = 1", "==1", 100000, "", "nested too deeply"},
        {"per_frame: ", "a", 64, " = 1", "more than 63 characters"},
        {"per_frame: ", "a = 1;", 20000, "", "longer than"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct preset preset;
        struct base_diag_list messages;
        char *text = repeated(rows[i].first, rows[i].text, rows[i].count, rows[i].last);
        assert_int_equal(read_patch(&preset, text, &messages), rows[i].what == NULL ? 0 : -1);
        if (rows[i].what != NULL) {
            assert_non_null(strstr(messages.items[messages.count - 1].what, rows[i].what));
        }
        preset_free(&preset);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_initial_values),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_inputs_are_read_only),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_old_style),
        cmocka_unit_test(test_recognised_by_content),
        cmocka_unit_test(test_midi),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_live_video),
        cmocka_unit_test(test_milk_keys_are_left_out),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_place_of_what_is_too_long),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
