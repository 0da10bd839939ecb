/* What fingers do: tap, hold, and drag along. Shared by all parts of the page. */

const SLIP = 12; /* pixels by which a finger may stray */
const LATE = 60; /* milliseconds after which a timer tells that the page was busy */

/** A short buzz where the device has one. */
export function buzz(milliseconds) {
    if (navigator.vibrate && navigator.userActivation?.isActive !== false) {
        navigator.vibrate(milliseconds);
    }
}

/**
 * A press on `element`: `tap` when it is let go early, `hold` as soon as it has lasted `seconds`.
 * A finger that moves on or scrolls does neither. While it lasts the element under it has the class
 * "held", over `seconds` of time. `target(event)` gives what the press is for, when it begins: a
 * list may move on under the finger; null: nothing. Keys Enter and Space press likewise.
 * Assistive software, which only clicks: a tap, or where there is none, two clicks within three
 * seconds are the hold, and `again` is called after the first.
 */
export function press(element, {seconds, target = () => element, tap, hold, again}) {
    let now = null;
    let clicked = 0;

    function end() {
        if (now) {
            clearTimeout(now.timer);
            now.shown.classList.remove('held');
        }
        now = null;
    }

    function begin(event, at) {
        end();
        const shown = target(event);
        if (!shown) {
            return;
        }
        now = {shown, at, id: event.pointerId, done: false};
        if (hold) {
            const press = now;
            shown.style.setProperty('--hold', `${seconds}s`);
            shown.classList.add('held');
            const due = performance.now() + seconds * 1000;
            press.timer = setTimeout(function reach() {
                if (performance.now() > due + LATE && !press.late) {
                    /* That the finger has gone may stand behind this, unheard. */
                    press.late = true;
                    press.timer = setTimeout(reach, LATE);
                    return;
                }
                press.done = true;
                shown.classList.remove('held');
                buzz(35);
                hold(shown);
            }, seconds * 1000);
        }
    }

    function release() {
        if (now && !now.done) {
            const shown = now.shown;
            end();
            tap?.(shown);
        }
        end();
    }

    element.addEventListener('pointerdown', event => {
        if (now || event.button !== 0) {
            end();
        } else {
            begin(event, [event.clientX, event.clientY]);
        }
    });
    element.addEventListener('pointermove', event => {
        if (now?.at && event.pointerId === now.id && Math.hypot(event.clientX - now.at[0], event.clientY - now.at[1]) > SLIP) {
            end();
        }
    });
    element.addEventListener('pointerup', event => event.pointerId === now?.id && release());
    for (const name of ['pointercancel', 'pointerleave', 'blur']) {
        element.addEventListener(name, end);
    }
    document.addEventListener('visibilitychange', end);
    window.addEventListener('blur', end);
    element.addEventListener('contextmenu', event => event.preventDefault());
    element.addEventListener('keydown', event => {
        if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            if (!event.repeat) {
                begin(event, null);
            }
        } else if (event.key === 'Escape') {
            end();
        }
    });
    element.addEventListener('keyup', event => {
        if ((event.key === 'Enter' || event.key === ' ') && now && !now.at) {
            event.preventDefault();
            release();
        }
    });
    element.addEventListener('click', event => {
        /* Pointers and keys were told above; such a click has neither. */
        const shown = event.detail === 0 && !now && target(event);
        if (!shown || event.pointerType) {
            return;
        }
        if (tap) {
            tap(shown);
        } else if (performance.now() - clicked < 3000) {
            clicked = 0;
            hold(shown);
        } else {
            clicked = performance.now();
            again?.(shown);
        }
    });
}

/**
 * A finger that goes along `element` from side to side: `start()` when it has begun to, `move(part)`
 * with the part of the element's width since the last call, `end()` in the end, `twice()` when it
 * was tapped twice instead. Where the finger begins does not matter. Up and down scrolls the page.
 */
export function drag(element, {start, move, end, twice}) {
    let now = null;
    let tapped = {time: -1000, x: 0};

    element.addEventListener('pointerdown', event => {
        if (!now && event.button === 0) {
            now = {id: event.pointerId, from: event.clientX, x: event.clientX, moves: false,
                   width: element.getBoundingClientRect().width};
            element.setPointerCapture(event.pointerId);
        }
    });
    element.addEventListener('pointermove', event => {
        if (event.pointerId !== now?.id) {
            return;
        }
        if (!now.moves && Math.abs(event.clientX - now.from) > SLIP / 2) {
            now.moves = true;
            now.x = event.clientX;
            start();
        }
        if (now.moves) {
            move((event.clientX - now.x) / now.width);
            now.x = event.clientX;
        }
    });
    const stop = event => {
        if (event.pointerId !== now?.id) {
            return;
        }
        const {moves, from} = now;
        now = null;
        if (moves) {
            end();
        } else if (event.type === 'pointerup') {
            const close = event.timeStamp - tapped.time < 350 && Math.abs(from - tapped.x) < 40;
            tapped = close ? {time: -1000, x: 0} : {time: event.timeStamp, x: from};
            if (close) {
                twice();
            }
        }
    };
    element.addEventListener('pointerup', stop);
    element.addEventListener('pointercancel', stop);
    element.addEventListener('contextmenu', event => event.preventDefault());
}
