/* Values to be moved by a finger. A slider goes along with the finger from where it stands, wherever
 * that touches it, so that nothing jumps; it does not follow froth while it is held. */
import {drag} from './touch.js';

/* What is wanted first on a stage, with the way on which a finger moves it: from, to, and how
 * numbers lie between them: by "parts" evenly, "times" by factors, "near" closer at the low end. */
const FIRST = [
    {name: 'gamma', text: 'brightness', from: 0, to: 4, how: 'parts'},
    {name: 'decay', text: 'trails', from: 0.8, to: 1, how: 'parts'},
    {name: 'zoom', from: 0.5, to: 2, how: 'times'},
    {name: 'rotate', from: -0.5, to: 0.5, how: 'parts'},
    {name: 'warp', from: 0, to: 10, how: 'near'},
    {name: 'warp-speed', text: 'warp speed', from: 0.05, to: 20, how: 'times'},
    {name: 'wave-size', text: 'wave size', from: 0.05, to: 20, how: 'times'},
    {name: 'wave-alpha', text: 'wave', from: 0, to: 4, how: 'near'},
    {name: 'echo-alpha', text: 'second layer', from: 0, to: 1, how: 'parts'},
    {name: 'echo-zoom', text: 'size of the second layer', from: 0.2, to: 5, how: 'times'},
    {name: 'move-x', text: 'drift sideways', from: -0.1, to: 0.1, how: 'parts'},
    {name: 'move-y', text: 'drift up and down', from: -0.1, to: 0.1, how: 'parts'},
    {name: 'advance', text: 'seconds per preset', from: 1, to: 300, how: 'times'},
    {name: 'cut-on-beat', text: 'cut on each so many beats', from: 0, to: 64, how: 'near', whole: true},
];
export const FADE = {name: 'blend', text: 'Fade', from: 0, to: 20, how: 'near', unit: ' s'};

/* These have buttons of their own. */
const ELSEWHERE = new Set(['blend', 'blackout', 'favourite', 'freeze', 'lock', 'random']);
const HELD = 500; /* ms after the finger, until it follows froth again */

/* From numbers to parts of the way, and back. */
const WAYS = {
    parts: {part: (n, a, b) => (n - a) / (b - a), number: (p, a, b) => a + p * (b - a)},
    times: {part: (n, a, b) => Math.log(Math.max(n, a) / a) / Math.log(b / a),
            number: (p, a, b) => a * (b / a) ** p},
    near: {part: (n, a, b) => Math.sqrt(Math.max(0, n - a) / (b - a)), number: (p, a, b) => a + p * Math.abs(p) * (b - a)},
};

/** The way of a value that has none of its own. */
function way_of({name, help, low, high}) {
    const text = help.startsWith('key of') ? name : help;
    if (low > 0 && high / low >= 1000) {
        return {name, text, from: Math.max(low, 0.01), to: Math.min(high, 100), how: 'times'};
    }
    const whole = /^n[A-Z]/.test(name) || ['wave', 'echo-flip'].includes(name);
    const from = Math.max(low, -100), to = Math.min(high, 100);
    return {name, text, from, to, how: from === 0 && to > 10 ? 'near' : 'parts', whole};
}

function digits(number) {
    const size = Math.abs(number);
    return number.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3).replace(/(\.\d+?)0+$/, '$1').replace(/\.0$/, '');
}

/** A slider of one value; `send(name, number)` sets it, and says whether it could. */
export class Slider {
    constructor(way, row, send) {
        this.way = way;
        this.low = row?.low ?? way.from;
        this.high = row?.high ?? way.to;
        this.send = send;
        this.number = null; /* that is shown; null: not known yet */
        this.told = null;   /* that froth has */
        this.start = null;  /* that a double tap brings back */
        this.held = false;
        this.until = 0;
        this.element = document.createElement('div');
        this.element.className = 'slider';
        this.element.innerHTML = '<i></i><span class="title"></span><output></output>';
        [this.fill, this.title, this.out] = this.element.children;
        this.title.textContent = way.text ?? way.name;
        Object.entries({role: 'slider', tabindex: 0, 'aria-label': way.text ?? way.name, 'aria-valuemin': way.from,
                        'aria-valuemax': way.to, 'data-value': way.name, title: row?.help ?? ''})
            .forEach(([key, value]) => this.element.setAttribute(key, value));
        drag(this.element, {
            start: () => this.#hold(true),
            move: part => this.#by(part),
            end: () => this.#hold(false),
            twice: () => this.reset(),
        });
        this.element.addEventListener('keydown', event => this.#key(event));
        this.#draw();
    }

    /** What froth has, and what a double tap goes back to. */
    take(number, start) {
        this.start = start;
        this.told = number;
        this.settle();
    }

    /** Shows what froth has, unless a finger has just been here. */
    settle() {
        if (!this.held && performance.now() > this.until && this.number !== this.told) {
            this.number = this.told;
            this.#draw();
        }
    }

    reset() {
        if (this.start !== null) {
            this.#set(this.start);
        }
    }

    #part() {
        const {from, to, how} = this.way;
        return WAYS[how].part(this.number ?? from, from, to);
    }

    #hold(held) {
        this.held = held;
        this.place = held ? this.#part() : null;
        this.element.classList.toggle('moved', held);
    }

    #by(part) {
        const {from, to, how} = this.way;
        const least = Math.min(0, this.#part()), most = Math.max(1, this.#part());
        this.place = Math.min(most, Math.max(least, this.place + part));
        this.#set(WAYS[how].number(this.place, from, to));
    }

    #set(number) {
        const bounded = Math.min(this.high, Math.max(this.low, this.way.whole ? Math.round(number) : number));
        if (this.number === null) {
            return;
        }
        this.number = bounded;
        this.until = performance.now() + HELD;
        this.#draw();
        if (!this.frame) {
            this.frame = requestAnimationFrame(() => {
                this.frame = 0;
                if (!this.send(this.way.name, this.number)) {
                    this.number = this.told;
                    this.#draw();
                }
            });
        }
    }

    #key(event) {
        const steps = {ArrowRight: 0.01, ArrowUp: 0.01, ArrowLeft: -0.01, ArrowDown: -0.01, PageUp: 0.1, PageDown: -0.1}[event.key];
        const {from, to, how, whole} = this.way;
        if (steps !== undefined) {
            event.preventDefault();
            const number = WAYS[how].number(this.#part() + steps, from, to);
            this.#set(whole ? this.number + (Math.sign(steps) * Math.max(1, Math.abs(number - this.number))) : number);
        } else if (event.key === 'Home' || event.key === 'End') {
            event.preventDefault();
            this.#set(event.key === 'Home' ? from : to);
        } else if (event.key === 'Delete' || event.key === 'Backspace') {
            event.preventDefault();
            this.reset();
        }
    }

    #draw() {
        const {from, how, unit, to} = this.way;
        const known = this.number !== null;
        const part = known ? Math.min(1, Math.max(0, this.#part())) : 0;
        const zero = how === 'parts' && from < 0 ? Math.min(1, -from / (to - from)) : 0;
        this.fill.style.transform = `translateX(${100 * Math.min(part, zero)}%) scaleX(${Math.abs(part - zero)})`;
        this.element.style.setProperty('--at', part);
        const text = known ? digits(this.number) + (unit ?? '') : '–';
        this.out.textContent = text;
        this.element.setAttribute('aria-valuenow', known ? this.number : from);
        this.element.setAttribute('aria-valuetext', text);
    }
}

/** A value that is on or off. */
class Switch {
    constructor(row, send) {
        this.element = document.createElement('button');
        this.element.type = 'button';
        this.element.className = 'switch';
        this.element.textContent = row.help.startsWith('key of') ? row.name : row.help;
        this.element.dataset.value = row.name;
        this.element.addEventListener('click', () => send(row.name, this.number > 0.5 ? 0 : 1));
        this.take(0);
    }

    take(number) {
        this.number = number;
        this.element.setAttribute('aria-pressed', number > 0.5);
    }

    settle() {}
}

/** All sliders: those that are wanted first, or those that are looked for. */
export class Rack {
    constructor(element, send) {
        this.element = element;
        this.send = send;
        this.rows = [];
        this.numbers = {};
        this.starts = {};
        this.made = new Map();
        this.query = '';
        this.preset = undefined;
        this.says = document.createElement('p');
        this.says.className = 'says';
        setInterval(() => this.made.forEach(one => one.settle()), 250);
    }

    /** An answer to `values`. */
    rowed(rows) {
        this.rows = rows.filter(row => !ELSEWHERE.has(row.name));
        this.made.clear();
        this.#lay();
    }

    search(query) {
        this.query = query.trim().toLowerCase();
        this.#lay();
        this.element.scrollTop = 0;
    }

    /** What froth says of values, with the preset that is shown. */
    take(numbers, preset) {
        const begins = preset !== this.preset;
        this.preset = preset;
        Object.assign(this.numbers, numbers);
        for (const row of begins ? this.rows : []) {
            if (row.preset) {
                delete this.starts[row.name];
            }
        }
        for (const name of begins ? Object.keys(this.numbers) : Object.keys(numbers)) {
            this.starts[name] ??= this.numbers[name];
            this.made.get(name)?.take(this.numbers[name], this.starts[name]);
        }
    }

    #one(row, way) {
        if (!this.made.has(row.name)) {
            const one = row.switch ? new Switch(row, this.send) : new Slider(way ?? way_of(row), row, this.send);
            this.made.set(row.name, one);
            if (row.name in this.numbers) {
                one.take(this.numbers[row.name], this.starts[row.name]);
            }
        }
        return this.made.get(row.name).element;
    }

    #lay() {
        const words = this.query.split(/\s+/).filter(Boolean);
        const ways = new Map(FIRST.map(way => [way.name, way]));
        const fits = row => words.every(word =>
            `${row.name} ${row.help} ${ways.get(row.name)?.text ?? ''}`.toLowerCase().includes(word));
        const rows = words.length > 0 ? this.rows.filter(fits)
            : FIRST.map(way => this.rows.find(row => row.name === way.name)).filter(Boolean);
        this.says.textContent = rows.length > 0 || this.rows.length === 0 ? '' : `No value is called “${this.query}”.`;
        this.element.replaceChildren(...rows.map(row => this.#one(row, ways.get(row.name))), this.says);
    }
}
