#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/sdl.h"

/* ---- names of keys ---- */

static const char *key_name(SDL_Keycode code)
{
    switch (code) {
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
        return "Enter";
    case SDLK_APPLICATION:
        return "Menu";
    default:
        return SDL_GetKeyName(code);
    }
}

/* Digits and signs, which layouts have in different places. */
static bool is_sign(SDL_Keycode code)
{
    return code > SDLK_SPACE && code < SDLK_DELETE && !(code >= SDLK_a && code <= SDLK_z);
}

/* Appends what fits; `text` of `size` bytes ends with a NUL before and after. */
static void append(char *text, size_t size, const char *more)
{
    const size_t used = strlen(text);
    const size_t length = strlen(more);
    const size_t fits = length < size - used ? length : size - used - 1;
    memcpy(text + used, more, fits);
    text[used + fits] = '\0';
}

/* ---- keys and mouse ---- */

static void note_pointer(struct ui_window *window)
{
    window->pointer_moved = SDL_GetTicks64();
    ui_sdl_show_pointer(window, true);
}

static bool is_operator(const struct ui_window *window, Uint32 id)
{
    return window->operator_view.window != NULL &&
           SDL_GetWindowID(window->operator_view.window) == id;
}

/* Places come in points, which may be several pixels. */
static void place(const struct ui_window *window, struct ui_event *event, int x, int y)
{
    const struct ui_sdl_view *view =
        event->operator_window ? &window->operator_view : &window->show;
    int points_x = 1;
    int points_y = 1;
    int width = 1;
    int height = 1;
    SDL_GetWindowSize(view->window, &points_x, &points_y);
    if (ui_sdl_size(view, &width, &height) && points_x > 0 && points_y > 0) {
        event->x = (int)((int64_t)x * width / points_x);
        event->y = (int)((int64_t)y * height / points_y);
    }
}

static const char *button_name(Uint8 button)
{
    switch (button) {
    case SDL_BUTTON_LEFT:
        return "MouseLeft";
    case SDL_BUTTON_MIDDLE:
        return "MouseMiddle";
    case SDL_BUTTON_RIGHT:
        return "MouseRight";
    default:
        return "";
    }
}

/* A window that comes to an output is told to be at its corner. */
static void note_place(const struct ui_window *window, struct ui_sdl_view *view,
                       const SDL_WindowEvent *from)
{
    const SDL_Point at = {from->data1, from->data2};
    SDL_Rect bounds;
    for (int i = 0; !window->placed && i < SDL_GetNumVideoDisplays(); i++) {
        if (SDL_GetDisplayBounds(i, &bounds) == 0 && bounds.x == at.x && bounds.y == at.y) {
            ui_sdl_note_output(window, view, i);
        }
    }
}

static bool translate_window(struct ui_window *window, const SDL_WindowEvent *from,
                             struct ui_event *to)
{
    to->operator_window = is_operator(window, from->windowID);
    switch (from->event) {
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        ui_sdl_measure_refresh(window);
        ui_sdl_look_soon(window);
        return false;
    case SDL_WINDOWEVENT_MOVED:
        note_place(window, to->operator_window ? &window->operator_view : &window->show, from);
        ui_sdl_look_soon(window);
        return false;
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SIZE_CHANGED:
        window->covered = false; /* all of it is to be shown again */
        (void)memset(&window->operator_view.tiles, 0, sizeof window->operator_view.tiles);
        return false;
    case SDL_WINDOWEVENT_FOCUS_GAINED:
        SDL_StartTextInput(); /* of this window too */
        return false;
    case SDL_WINDOWEVENT_LEAVE:
        to->kind = UI_EVENT_LEAVE;
        return true;
    case SDL_WINDOWEVENT_CLOSE:
        to->kind = UI_EVENT_CLOSE;
        return true;
    default:
        return false;
    }
}

/* ---- gamepads ---- */

static const char *const pad_buttons[] = {
    [SDL_CONTROLLER_BUTTON_A] = "PadA",
    [SDL_CONTROLLER_BUTTON_B] = "PadB",
    [SDL_CONTROLLER_BUTTON_X] = "PadX",
    [SDL_CONTROLLER_BUTTON_Y] = "PadY",
    [SDL_CONTROLLER_BUTTON_BACK] = "PadBack",
    [SDL_CONTROLLER_BUTTON_GUIDE] = "PadGuide",
    [SDL_CONTROLLER_BUTTON_START] = "PadStart",
    [SDL_CONTROLLER_BUTTON_LEFTSTICK] = "PadLeftStick",
    [SDL_CONTROLLER_BUTTON_RIGHTSTICK] = "PadRightStick",
    [SDL_CONTROLLER_BUTTON_LEFTSHOULDER] = "PadLeftShoulder",
    [SDL_CONTROLLER_BUTTON_RIGHTSHOULDER] = "PadRightShoulder",
    [SDL_CONTROLLER_BUTTON_DPAD_UP] = "PadUp",
    [SDL_CONTROLLER_BUTTON_DPAD_DOWN] = "PadDown",
    [SDL_CONTROLLER_BUTTON_DPAD_LEFT] = "PadLeft",
    [SDL_CONTROLLER_BUTTON_DPAD_RIGHT] = "PadRight",
};

const char *const ui_pad_axes[UI_PAD_AXES] = {
    [SDL_CONTROLLER_AXIS_LEFTX] = "PadLeftX",
    [SDL_CONTROLLER_AXIS_LEFTY] = "PadLeftY",
    [SDL_CONTROLLER_AXIS_RIGHTX] = "PadRightX",
    [SDL_CONTROLLER_AXIS_RIGHTY] = "PadRightY",
    [SDL_CONTROLLER_AXIS_TRIGGERLEFT] = "PadLeftTrigger",
    [SDL_CONTROLLER_AXIS_TRIGGERRIGHT] = "PadRightTrigger",
};

/* index: of SDL's list of devices. */
static bool take_pad(struct ui_window *window, int index, struct ui_event *to)
{
    for (int i = 0; i < UI_SDL_PADS; i++) {
        if (window->pads[i] == NULL) {
            window->pads[i] = SDL_GameControllerOpen(index);
            const char *name =
                window->pads[i] != NULL ? SDL_GameControllerName(window->pads[i]) : NULL;
            to->kind = UI_EVENT_PAD_CAME;
            append(to->text, sizeof to->text, name != NULL ? name : "without a name");
            return window->pads[i] != NULL;
        }
    }
    return false;
}

static bool lose_pad(struct ui_window *window, SDL_JoystickID id, struct ui_event *to)
{
    SDL_GameController *pad = SDL_GameControllerFromInstanceID(id);
    for (int i = 0; pad != NULL && i < UI_SDL_PADS; i++) {
        if (window->pads[i] == pad) {
            const char *name = SDL_GameControllerName(pad);
            to->kind = UI_EVENT_PAD_GONE;
            append(to->text, sizeof to->text, name != NULL ? name : "without a name");
            SDL_GameControllerClose(pad);
            window->pads[i] = NULL;
            memset(window->places, 0, sizeof window->places);
            return true;
        }
    }
    return false;
}

/* At rest a stick is not quite in its middle, and trembles. */
static bool move_axis(struct ui_window *window, int axis, double value, struct ui_event *to)
{
    static const double stick_dead = 0.2;
    static const double trigger_dead = 0.05;
    static const double finest = 1.0 / 512;
    if (axis < 0 || axis >= UI_PAD_AXES) {
        return false;
    }
    const double dead = axis >= SDL_CONTROLLER_AXIS_TRIGGERLEFT ? trigger_dead : stick_dead;
    const double far = fmin((fabs(value) - dead) / (1 - dead), 1);
    to->place = far > 0 ? copysign(far, value) : 0;
    const bool moved = fabs(to->place - window->places[axis]) >= finest ||
                       (to->place == 0) != (window->places[axis] == 0);
    if (moved) {
        window->places[axis] = to->place;
        to->kind = UI_EVENT_AXIS;
        to->axis = axis;
        append(to->key, sizeof to->key, ui_pad_axes[axis]);
    }
    return moved;
}

static bool press_pad(unsigned button, struct ui_event *to)
{
    if (button >= sizeof pad_buttons / sizeof *pad_buttons || pad_buttons[button] == NULL) {
        return false;
    }
    to->kind = UI_EVENT_PAD;
    append(to->key, sizeof to->key, pad_buttons[button]);
    return true;
}

/* Returns true if the event is one for the caller. */
static bool translate(struct ui_window *window, const SDL_Event *from, struct ui_event *to)
{
    switch (from->type) {
    case SDL_QUIT:
        to->kind = UI_EVENT_QUIT;
        return true;
    case SDL_KEYDOWN: {
        const SDL_Keysym *key = &from->key.keysym;
        const bool sign = is_sign(key->sym);
        const bool commands = (key->mod & (KMOD_CTRL | KMOD_LALT | KMOD_GUI)) != 0;
        /* What a key is called that types a sign is known only with the text that follows it: "<"
         * may need Shift or not, "{" another level of the layout. */
        window->awaits_text = !commands && (sign || (key->mod & (KMOD_RALT | KMOD_MODE)) != 0) &&
                              (key->sym & SDLK_SCANCODE_MASK) == 0 && key->sym > SDLK_SPACE;
        to->kind = UI_EVENT_KEY;
        to->operator_window = is_operator(window, from->key.windowID);
        to->repeat = from->key.repeat != 0;
        append(to->key, sizeof to->key, (key->mod & KMOD_CTRL) != 0 ? "Ctrl+" : "");
        append(to->key, sizeof to->key, (key->mod & KMOD_ALT) != 0 ? "Alt+" : "");
        append(to->key, sizeof to->key, (key->mod & KMOD_GUI) != 0 ? "Super+" : "");
        append(to->key, sizeof to->key, (key->mod & KMOD_SHIFT) != 0 && !sign ? "Shift+" : "");
        append(to->key, sizeof to->key, key_name(key->sym));
        return !window->awaits_text;
    }
    case SDL_TEXTINPUT: {
        const char *text = from->text.text;
        const bool awaited = window->awaits_text;
        window->awaits_text = false;
        if ((SDL_GetModState() & (KMOD_CTRL | KMOD_LALT | KMOD_GUI)) != 0) {
            return false; /* of Alt+1, say, which is a command and no text */
        }
        to->kind = UI_EVENT_TEXT;
        to->operator_window = is_operator(window, from->text.windowID);
        append(to->text, sizeof to->text, text);
        if (awaited && is_sign((unsigned char)text[0]) && text[1] == '\0') {
            append(to->key, sizeof to->key, text);
        }
        return to->text[0] != '\0';
    }
    case SDL_MOUSEMOTION:
        note_pointer(window);
        to->kind = UI_EVENT_MOVE;
        to->operator_window = is_operator(window, from->motion.windowID);
        place(window, to, from->motion.x, from->motion.y);
        return true;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        note_pointer(window);
        to->kind = from->type == SDL_MOUSEBUTTONDOWN ? UI_EVENT_PRESS : UI_EVENT_LET_GO;
        to->operator_window = is_operator(window, from->button.windowID);
        to->clicks = from->button.clicks;
        append(to->key, sizeof to->key, button_name(from->button.button));
        place(window, to, from->button.x, from->button.y);
        return to->key[0] != '\0';
    case SDL_MOUSEWHEEL: {
        const SDL_MouseWheelEvent *wheel = &from->wheel;
        to->kind = UI_EVENT_WHEEL;
        to->operator_window = is_operator(window, wheel->windowID);
        to->wheel = wheel->direction == SDL_MOUSEWHEEL_FLIPPED ? -wheel->preciseY : wheel->preciseY;
        append(to->key, sizeof to->key, to->wheel > 0 ? "WheelUp" : "WheelDown");
        place(window, to, wheel->mouseX, wheel->mouseY);
        return wheel->preciseY != 0;
    }
    case SDL_WINDOWEVENT:
        return translate_window(window, &from->window, to);
    case SDL_CONTROLLERDEVICEADDED:
        return take_pad(window, from->cdevice.which, to);
    case SDL_CONTROLLERDEVICEREMOVED:
        return lose_pad(window, from->cdevice.which, to);
    case SDL_CONTROLLERBUTTONDOWN:
        return press_pad(from->cbutton.button, to);
    case SDL_CONTROLLERAXISMOTION:
        return move_axis(window, from->caxis.axis, from->caxis.value / 32767.0, to);
    case SDL_DISPLAYEVENT:
        ui_sdl_look_soon(window);
        return false;
    case SDL_DROPFILE:
        to->kind = UI_EVENT_DROP;
        to->operator_window = is_operator(window, from->drop.windowID);
        free(window->dropped);
        window->dropped = from->drop.file != NULL ? strdup(from->drop.file) : NULL;
        SDL_free(from->drop.file);
        return window->dropped != NULL;
    case SDL_DROPTEXT:
        SDL_free(from->drop.file);
        return false;
    default:
        return false;
    }
}

/* wait_ms: so long may it be until the end is noticed here. */
static bool loses_display(struct ui_window *window, int wait_ms, struct ui_event *event)
{
    if (window->wayland == NULL || !ui_wayland_is_gone(window->wayland, wait_ms)) {
        return false;
    }
    ui_sdl_lose_display(window);
    *event = (struct ui_event){.kind = UI_EVENT_DISPLAY_GONE};
    return true;
}

bool ui_window_poll(struct ui_window *window, struct ui_event *event)
{
    enum { END_MS = 100 };
    SDL_Event from;
    if (loses_display(window, 0, event)) {
        return true;
    }
    while (SDL_PollEvent(&from) != 0) {
        if (from.type == SDL_QUIT && loses_display(window, END_MS, event)) {
            return true;
        }
        *event = (struct ui_event){.shift = (SDL_GetModState() & KMOD_SHIFT) != 0};
        if (translate(window, &from, event)) {
            return true;
        }
    }
    if (!window->gone) {
        ui_sdl_follow_outputs(window);
    }
    if (window->news_count > 0) {
        *event = window->news[0];
        window->news_count--;
        memmove(window->news, window->news + 1, window->news_count * sizeof *window->news);
        return true;
    }
    return false;
}

char *ui_window_dropped(struct ui_window *window)
{
    char *path = window->dropped;
    window->dropped = NULL;
    return path;
}
