/* The page: what froth tells is shown, what is pressed is sent. Nothing is kept for later. */
import {buzz, press} from './touch.js';
import {Live} from './live.js';
import {Grid} from './grid.js';
import {FADE, Rack, Slider} from './sliders.js';

const WANTED = 8000; /* ms, after which a preset that was asked for and did not come is forgotten */
const NOTE = 4000;   /* ms that a note stays */
const BLACKOUT = 0.3; /* seconds to hold it */

const at = id => document.getElementById(id);
const body = document.body;
const page = {state: null, wanted: null, shown: null, beats: 0, note: 0};

/* ---- what is sent ---- */

function note(text) {
    at('note').textContent = text;
    at('note').classList.add('shown');
    clearTimeout(page.note);
    page.note = setTimeout(() => at('note').classList.remove('shown'), NOTE);
}

/** Sends something that does; says so if it cannot. */
function act(line) {
    const sent = page.state !== null && live.send(line);
    buzz(sent ? 12 : [40, 60, 40]);
    if (!sent) {
        note('Not connected: nothing was sent.');
    }
    return sent;
}

function set(name, number) {
    return live.send(`value ${name} ${Number(number.toPrecision(7))}`);
}

function choose(id, name, hard) {
    if (act(`call load =${id}${hard ? '!' : ''}`)) {
        page.wanted = {id, since: performance.now()};
        mark();
    }
}

/* ---- what is shown ---- */

function mark() {
    const {state, wanted} = page;
    if (wanted && (wanted.id === state?.preset || performance.now() - wanted.since > WANTED)) {
        page.wanted = null;
    }
    if (state && !state.changes) {
        page.shown = state.preset;
    }
    grid.mark({playing: page.shown, coming: state?.changes ? state.preset : null, wanted: page.wanted?.id ?? null});
}

function press_state(id, on) {
    if (at(id).getAttribute('aria-pressed') !== String(on)) {
        at(id).setAttribute('aria-pressed', on);
    }
}

function text(id, words) {
    if (at(id).textContent !== words) {
        at(id).textContent = words;
    }
}

function meters({bass, mid, treb, bpm, beats, bar}) {
    for (const [id, level] of Object.entries({bass, mid, treb})) {
        at(id).firstElementChild.style.transform = `scaleX(${Math.min(1, Math.max(0, level / 2))})`;
    }
    text('bpm', bpm > 0 ? `${Math.round(bpm)} bpm` : 'tap');
    if (beats !== page.beats) {
        page.beats = beats;
        at('dot').classList.remove('hit');
        void at('dot').offsetWidth;
        at('dot').classList.add('hit');
    }
    const now = bpm > 0 && bar !== undefined ? Math.floor(bar * 4) % 4 : -1;
    [...at('bar').children].forEach((part, i) => part.classList.toggle('now', i === now));
}

function stated(state) {
    page.state = state;
    text('name', state.name || 'no preset yet');
    text('fps', `${Math.round(state.fps)} fps`);
    press_state('blackout', state.blackout > 0.5);
    press_state('freeze', state.frozen > 0.5);
    press_state('lock', state.locked > 0.5);
    press_state('favourite', state.favourite > 0.5);
    body.classList.toggle('black', state.blackout > 0.5);
    body.classList.toggle('frozen', state.frozen > 0.5);
    body.classList.toggle('changes', state.changes);
    at('marks').textContent = state.changes ? '→ ' : '';
    if (state.values?.random !== undefined) {
        press_state('random', state.values.random > 0.5);
    }
    if (state.values?.blend !== undefined) {
        fade.take(state.values.blend, page.blend ??= state.values.blend);
        text('next-time', state.values.blend > 0 ? `to next, ${state.values.blend.toFixed(1)} s` : 'is a cut now');
    }
    rack.take(state.values ?? {}, state.preset);
    meters(state);
    mark();
}

/** The line has come or gone. */
function linked(link) {
    body.dataset.link = link.on ? 'on' : 'off';
    if (link.on) {
        grid.begin();
        live.ask('values');
    } else {
        page.state = null;
        page.wanted = null;
    }
    lost();
}

function lost() {
    at('lost').hidden = live?.on !== false;
    if (live && !live.on) {
        const now = performance.now();
        const gone = Math.round((now - live.since) / 1000);
        const wait = Math.ceil((live.next - now) / 1000);
        text('why', live.full ? 'Too many phones are connected.'
            : live.strange ? 'froth does not know this phone any more. Open the link that it shows.'
            : `Cut off for ${gone} s. ${live.next > now ? `Next try in ${wait} s.` : 'Trying…'}`);
    }
}

/* ---- the parts ---- */

let live = null;
const grid = new Grid({ask: line => live?.ask(line) ?? false, choose});
const rack = new Rack(at('rack'), set);
const fade = new Slider(FADE, null, set);
at('fade').append(fade.element);

live = new Live({
    state: stated,
    list: list => grid.listed(list),
    where: where => grid.found(where) || note('What plays is not among these.'),
    values: rows => rack.rowed(rows),
    changed: () => grid.refresh(),
    note,
}, linked);

setInterval(() => {
    lost();
    mark();
    fade.settle();
}, 500);

const is = id => at(id).getAttribute('aria-pressed') === 'true';
const on_click = (id, what) => at(id).addEventListener('click', what);
/* By presses, not clicks: several fingers may be at work. */
const call = (id, line) => press(at(id), {tap: () => act(`call ${line}`)});
const turn = (id, command) => press(at(id), {tap: () => act(`call ${command} ${is(id) ? 'off' : 'on'}`)});
call('back', 'previous');
call('cut', 'cut');
call('next', 'next');
call('undo', 'undo');
turn('freeze', 'freeze');
turn('lock', 'lock');
turn('random', 'random');
turn('favourite', 'favourite');
on_click('again', () => live.again());
/* When the finger comes down, for that is the beat; a click without one is a key's. */
at('beat').addEventListener('pointerdown', () => act('call tap'));
on_click('beat', event => event.detail === 0 && act('call tap'));
press(at('blackout'), {
    seconds: BLACKOUT,
    hold: () => act(`call blackout ${is('blackout') ? 'off' : 'on'}`),
    again: () => note('Once more to do it.'),
});

/* ---- looking for something ---- */

const LONGEST = 120; /* bytes of a search */

function look() {
    const words = at('seek').value.trim().replace(/\s+/g, ' ');
    let search = [is('stars') && 'fav', words].filter(Boolean).join(' ');
    while (new TextEncoder().encode(search).length > LONGEST) {
        search = [...search].slice(0, -1).join('').trimEnd();
    }
    grid.search(search);
}
on_click('stars', () => {
    press_state('stars', !is('stars'));
    look();
});
at('seek').addEventListener('input', look);
at('seek-values').addEventListener('input', () => rack.search(at('seek-values').value));
for (const seek of document.querySelectorAll('.seek')) {
    const input = seek.querySelector('input'), clear = seek.querySelector('.clear');
    input.addEventListener('input', () => { clear.hidden = input.value === ''; });
    input.addEventListener('focus', () => body.classList.add('typing'));
    input.addEventListener('blur', () => body.classList.remove('typing'));
    input.addEventListener('keydown', event => ['Enter', 'Escape'].includes(event.key) && input.blur());
    clear.addEventListener('click', () => {
        input.value = '';
        input.dispatchEvent(new Event('input'));
    });
}
on_click('playing', () => {
    tab('presets');
    grid.seek();
});

/* ---- the page itself ---- */

function tab(name) {
    body.dataset.tab = name;
}
for (const button of document.querySelectorAll('.tab')) {
    button.addEventListener('click', () => tab(button.dataset.to));
}

/* What the hand and the eyes want, kept on this phone. */
const habits = {
    read(name) {
        try {
            return localStorage.getItem(`froth-${name}`) === '1';
        } catch {
            return false;
        }
    },
    write(name, on) {
        try {
            localStorage.setItem(`froth-${name}`, on ? '1' : '0');
        } catch {
            /* Private windows forget. */
        }
    },
};
for (const name of ['left', 'red', 'dim']) {
    const show = on => {
        body.classList.toggle(name, on);
        press_state(name, on);
    };
    show(habits.read(name));
    on_click(name, () => {
        show(!is(name));
        habits.write(name, is(name));
    });
}

/* The screen stays on while the page is looked at, where the browser lets it. */
async function stay_awake() {
    try {
        if (document.visibilityState === 'visible') {
            await navigator.wakeLock?.request('screen');
        }
    } catch {
        /* The battery is low, or the system says no: the phone's own settings decide. */
    }
}
document.addEventListener('visibilitychange', stay_awake);
document.addEventListener('pointerup', stay_awake, {once: true});
stay_awake();

/* iOS zooms and scrolls whatever a page says; two fingers may still zoom. */
document.addEventListener('dblclick', event => event.preventDefault());
