/* The line to froth. It comes back by itself, and what could not be sent is never sent later. */

const SILENCE = 3000;  /* ms without a word, after which it counts as cut off */
const LONGEST = 10000; /* ms between two attempts */
const STUCK = 2000;    /* bytes that wait to leave */
const TOKEN_ENDED = 4001, TOO_MANY = 4002;

/**
 * Calls `told[key](value)` for each message {key: value}, and `changed(link)` whenever the line comes
 * or goes: link.on, link.since (ms, performance.now()), link.next (when it is tried again), link.full
 * (too many phones are here), link.strange (froth does not know this phone).
 */
export class Live {
    constructor(told, changed) {
        this.told = told;
        this.changed = changed;
        this.on = false;
        this.full = false;
        this.strange = false;
        this.since = performance.now();
        this.next = 0;
        this.pause = 0;
        this.socket = null;
        this.seen = null; /* froth's clock in its newest state */
        this.heard = 0;
        document.addEventListener('visibilitychange', () => this.#looked());
        window.addEventListener('online', () => this.again());
        window.addEventListener('pagehide', () => this.#drop());
        window.addEventListener('pageshow', event => event.persisted && this.again());
        setInterval(() => this.#watch(), 500);
        this.#open();
    }

    /** Sends a line that asks. False if there is no line. */
    ask(line) {
        if (!this.on || this.socket.bufferedAmount > STUCK) {
            return false;
        }
        this.socket.send(line);
        return true;
    }

    /** Sends a line that does something, and says with it what the operator had seen by then: froth
     * refuses it if it comes late. False if there is no line. */
    send(line) {
        return this.ask(this.seen === null ? line : `@${this.seen} ${line}`);
    }

    /** Tries at once. */
    again() {
        if (!this.on) {
            this.#drop();
            this.pause = 0;
            this.#open();
        }
    }

    #open() {
        clearTimeout(this.timer);
        this.next = 0;
        this.heard = performance.now();
        const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
        const socket = new WebSocket(`${scheme}//${location.host}/live`, 'froth');
        this.socket = socket;
        socket.onopen = () => {
            this.pause = 0;
            this.full = this.strange = false;
            this.seen = null;
            this.heard = performance.now();
            this.#turn(true);
            this.ask(`watch ${document.hidden ? 0 : 1}`);
        };
        socket.onmessage = event => this.#hear(event.data);
        socket.onclose = event => this.#closed(event.code);
    }

    #hear(text) {
        this.heard = performance.now();
        let message;
        try {
            message = JSON.parse(text);
        } catch {
            return;
        }
        if (typeof message.state?.now === 'number') {
            this.seen = message.state.now;
        }
        for (const key of Object.keys(message)) {
            this.told[key]?.(message[key]);
        }
    }

    async #closed(code) {
        const opened = this.on;
        this.#drop();
        this.full = code === TOO_MANY;
        if (!opened || code === TOKEN_ENDED) {
            const door = await this.#door();
            if (door === 'pairing') {
                location.reload();
                return;
            }
            this.strange = door === 'closed';
        }
        this.#later();
    }

    /** What froth's front page is, for who cannot have the line: this page, that for pairing, or
     * none. Empty if froth is not there. */
    async #door() {
        const patience = new AbortController();
        const timer = setTimeout(() => patience.abort(), SILENCE);
        try {
            const answer = await fetch('/', {cache: 'no-store', signal: patience.signal});
            const text = answer.ok ? await answer.text() : '';
            return !answer.ok ? 'closed' : text.includes('/page/pairing.js') ? 'pairing' : 'page';
        } catch {
            return '';
        } finally {
            clearTimeout(timer);
        }
    }

    #later() {
        if (document.hidden || this.socket) {
            return;
        }
        this.pause = Math.min(Math.max(500, this.pause * 2), LONGEST);
        const wait = this.full || this.strange ? LONGEST : this.pause * (0.8 + 0.4 * Math.random());
        this.next = performance.now() + wait;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.#open(), wait);
        this.changed(this);
    }

    #drop() {
        clearTimeout(this.timer);
        if (this.socket) {
            this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
            this.socket.close();
        }
        this.socket = null;
        this.#turn(false);
    }

    #turn(on) {
        if (this.on !== on) {
            this.on = on;
            this.since = performance.now();
        }
        this.changed(this);
    }

    #watch() {
        if (!document.hidden && this.socket && performance.now() - this.heard > SILENCE) {
            this.#drop();
            this.#later();
        }
    }

    #looked() {
        this.heard = performance.now();
        this.seen = null;
        if (this.on) {
            this.ask(`watch ${document.hidden ? 0 : 1}`);
        } else if (!document.hidden) {
            this.again();
        }
    }
}
