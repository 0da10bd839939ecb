/* The presets, of which only those in sight are in the page. */
import {press} from './touch.js';

const PAGE = 60;       /* entries that are asked for at once */
const FLIGHT = 4;      /* pages that are asked for at a time */
const PATIENCE = 4000; /* ms, after which it is asked again */
const REST = 90;       /* ms without scrolling, after which pictures are loaded */
const PICTURES = 400;  /* that are kept */
const HOLD = 0.5;      /* seconds to a cut */

/** Pictures by the number of their preset; the oldest are let go. */
class Pictures {
    constructor() {
        this.kept = new Map();
    }

    /** The picture, or null while it is not there; it then comes, or is asked for again later. */
    get(id, came) {
        let picture = this.kept.get(id);
        if (picture?.failed && performance.now() - picture.failed > 1000) {
            picture = null;
        }
        if (!picture) {
            picture = {image: new Image(), ready: false, failed: 0};
            picture.image.alt = '';
            picture.image.draggable = false;
            picture.image.onload = () => {
                picture.ready = true;
                came(id);
            };
            picture.image.onerror = () => {
                picture.failed = performance.now();
            };
            picture.image.src = `/thumb/${id}?size=medium`;
        }
        this.kept.delete(id);
        this.kept.set(id, picture);
        if (this.kept.size > PICTURES) {
            this.kept.delete(this.kept.keys().next().value);
        }
        return picture.ready ? picture.image : null;
    }

    has(id) {
        return this.kept.get(id)?.ready === true;
    }
}

/** Most presets are called "author - title"; the title comes first. */
function named(name) {
    const cut = name.indexOf(' - ');
    return cut > 0 && cut + 3 < name.length ? [name.slice(cut + 3), name.slice(0, cut)] : [name, ''];
}

/**
 * The grid. `ask(line)` asks froth, `choose(id, name, hard)` is told what the operator wants.
 */
export class Grid {
    constructor({ask, choose}) {
        this.ask = ask;
        this.scroll = document.getElementById('scroll');
        this.grid = document.getElementById('grid');
        this.empty = document.getElementById('empty');
        this.count = document.getElementById('total');
        this.pictures = new Pictures();
        this.tiles = new Map();  /* by place */
        this.query = '';         /* what is looked for */
        this.shown = null;       /* what the entries are of; null: nothing came yet */
        this.pages = new Map();  /* by number: {entries, stale} */
        this.asked = new Map();  /* pages on their way: when they were asked for */
        this.total = 0;
        this.focus = 0;
        this.marks = {playing: null, coming: null, wanted: null};
        this.columns = 1;
        this.seeks = false; /* the place of what plays was asked for */

        press(this.grid, {
            seconds: HOLD,
            target: event => this.#wanted(event),
            tap: () => choose(this.pressed.id, this.pressed.name, false),
            hold: () => choose(this.pressed.id, this.pressed.name, true),
        });
        this.scroll.addEventListener('scroll', () => this.#scrolled(), {passive: true});
        this.grid.addEventListener('keydown', event => this.#key(event));
        new ResizeObserver(() => this.#measure()).observe(this.scroll);
        setInterval(() => this.#late(), 1000);
        this.#measure();
    }

    /** Looks for something else; the old entries stay until the new ones come. */
    search(query) {
        if (query !== this.query) {
            this.query = query;
            this.#first();
        }
    }

    /** The line is there (again): what is in sight is asked for anew. */
    begin() {
        this.asked.clear();
        this.refresh();
    }

    /** Entries may have changed. */
    refresh() {
        for (const page of this.pages.values()) {
            page.stale = true;
        }
        if (this.shown !== this.query) {
            this.#first();
        } else {
            this.#want();
        }
    }

    /** What plays, what a transition goes to, and what was asked for; null: none. */
    mark(marks) {
        const same = Object.keys(marks).every(key => marks[key] === this.marks[key]);
        if (!same) {
            this.marks = marks;
            for (const tile of this.tiles.values()) {
                this.#tell(tile);
            }
        }
    }

    /** Goes to what plays. */
    seek() {
        this.seeks = this.ask(`where ${this.shown ?? ''}`.trimEnd());
    }

    /** An answer to `where`. False if what plays is not among what was found. */
    found({at, search}) {
        const goes = this.seeks && search === this.shown;
        this.seeks = false;
        if (goes && at >= 0) {
            this.#show(at);
        }
        return !goes || at >= 0;
    }

    /** An answer to `list`. */
    listed({from, total, search, entries}) {
        const page = Math.floor(from / PAGE);
        if (search !== this.query) {
            return;
        }
        if (this.shown !== search) {
            this.shown = search;
            this.pages.clear();
            this.asked.clear();
            this.focus = 0;
            this.scroll.scrollTop = 0;
        }
        this.asked.delete(page);
        if (total !== this.total) {
            for (const other of this.pages.values()) {
                other.stale = true;
            }
        }
        this.total = total;
        this.pages.set(page, {entries, stale: false});
        this.count.textContent = total;
        this.empty.hidden = total > 0;
        this.empty.textContent = search === '' ? 'There are no presets yet.'
            : search === 'fav' ? 'No favourites yet. The star below marks what plays.'
            : `Nothing is found for “${search.replace(/^fav /, '')}”.`;
        this.#layout();
    }

    /* ---- asking ---- */

    #first() {
        this.asked.clear();
        this.#page(0);
    }

    #page(page) {
        if (this.ask(`list ${page * PAGE} ${PAGE} ${this.query}`.trimEnd())) {
            this.asked.set(page, performance.now());
        }
    }

    /** Asks for what is in sight and not there. */
    #want() {
        if (this.shown !== this.query) {
            return;
        }
        const [first, last] = this.#sight(1);
        for (let page = Math.floor(first / PAGE); page * PAGE <= last && page * PAGE < this.total; page++) {
            const kept = this.pages.get(page);
            if ((!kept || kept.stale) && !this.asked.has(page) && this.asked.size < FLIGHT) {
                this.#page(page);
            }
        }
        if (this.total === 0 && !this.asked.has(0) && (this.pages.get(0)?.stale ?? true)) {
            this.#page(0);
        }
    }

    /** What was not answered is asked again. */
    #late() {
        const now = performance.now();
        for (const [page, when] of this.asked) {
            if (now - when > PATIENCE) {
                this.asked.delete(page);
            }
        }
        if (this.shown === this.query) {
            this.#want();
        } else if (this.asked.size === 0) {
            this.#first();
        }
    }

    /* ---- layout ---- */

    #measure() {
        const style = getComputedStyle(this.grid);
        const width = this.scroll.clientWidth;
        const least = parseFloat(style.getPropertyValue('--tile')) || 104;
        const gap = parseFloat(style.getPropertyValue('--gap')) || 6;
        const text = parseFloat(style.getPropertyValue('--text')) || 30;
        if (width === 0) {
            return;
        }
        const first = this.rise ? Math.floor(this.scroll.scrollTop / this.rise) * this.columns : 0;
        this.columns = Math.max(2, Math.floor((width - gap) / (least + gap)));
        this.width = (width - gap) / this.columns - gap;
        this.height = this.width * 9 / 16 + text;
        this.step = this.width + gap;
        this.rise = this.height + gap;
        this.gap = gap;
        for (const tile of this.tiles.values()) {
            tile.element.remove();
        }
        this.tiles.clear();
        this.#layout();
        this.scroll.scrollTop = Math.floor(first / this.columns) * this.rise;
    }

    /** Places from .. to that are in sight, and so many rows around. */
    #sight(around) {
        const top = Math.floor(this.scroll.scrollTop / this.rise) - around;
        const bottom = Math.floor((this.scroll.scrollTop + this.scroll.clientHeight) / this.rise) + around;
        return [Math.max(0, top * this.columns),
                Math.min(this.total, (bottom + 1) * this.columns) - 1];
    }

    #layout() {
        if (!this.rise) {
            return;
        }
        const rows = Math.ceil(this.total / this.columns);
        this.grid.style.height = `${rows * this.rise + this.gap}px`;
        this.#paint();
        this.#want();
    }

    #paint() {
        const [first, last] = this.#sight(2);
        for (const [at, tile] of this.tiles) {
            if ((at < first || at > last) && tile.element !== document.activeElement) {
                tile.element.remove();
                this.tiles.delete(at);
            }
        }
        if ((this.focus < first || this.focus > last) && !this.tiles.has(this.focus)) {
            this.focus = first;
            this.tiles.get(first)?.element.setAttribute('tabindex', 0);
        }
        for (let at = first; at <= last; at++) {
            const tile = this.tiles.get(at) ?? this.#tile(at);
            const entry = this.pages.get(Math.floor(at / PAGE))?.entries[at % PAGE] ?? null;
            if (tile.entry !== entry) {
                tile.entry = entry;
                tile.element.entry = entry;
                const [title, author] = named(entry?.name ?? '');
                tile.title.textContent = title;
                tile.author.textContent = author;
                tile.element.classList.toggle('void', entry?.id == null);
                tile.element.classList.toggle('favourite', entry?.favourite === true);
                this.#picture(tile, false);
                this.#tell(tile);
            }
        }
        clearTimeout(this.rest);
        this.rest = setTimeout(() => this.#rest(), REST);
    }

    #tile(at) {
        const element = document.createElement('div');
        element.className = 'tile';
        element.setAttribute('role', 'option');
        element.innerHTML = '<span class="picture"></span><span class="text"><b></b> <small></small></span>';
        element.style.width = `${this.width}px`;
        element.style.height = `${this.height}px`;
        element.style.transform = `translate(${this.gap + at % this.columns * this.step}px, ${
            this.gap + Math.floor(at / this.columns) * this.rise}px)`;
        element.tabIndex = at === this.focus ? 0 : -1;
        element.place = at;
        const [title, author] = element.lastChild.children;
        const tile = {element, picture: element.firstChild, title, author, entry: undefined};
        this.tiles.set(at, tile);
        this.grid.append(element);
        return tile;
    }

    #tell({element, entry}) {
        const {playing, coming, wanted} = this.marks;
        const id = entry?.id ?? undefined;
        element.classList.toggle('playing', id === playing);
        element.classList.toggle('coming', id === coming);
        element.classList.toggle('wanted', id === wanted);
        element.setAttribute('aria-selected', id !== undefined && id === playing);
        element.setAttribute('aria-posinset', element.place + 1);
        element.setAttribute('aria-setsize', this.total);
        element.setAttribute('aria-label', !entry ? 'not loaded yet'
            : entry.id == null ? 'missing preset'
            : [entry.name, entry.favourite && 'favourite', id === playing && 'is shown',
               id === coming && 'is coming', id === wanted && 'is wanted'].filter(Boolean).join(', '));
    }

    #picture(tile, load) {
        const {entry} = tile;
        const image = entry?.id != null && (load && entry.thumb || this.pictures.has(entry.id))
            ? this.pictures.get(entry.id, id => this.#came(id)) : null;
        if (image && image.parentNode !== tile.picture) {
            tile.picture.replaceChildren(image);
        } else if (!image && tile.picture.firstChild) {
            tile.picture.replaceChildren();
        }
    }

    #came(id) {
        for (const tile of this.tiles.values()) {
            if (tile.entry?.id === id) {
                this.#picture(tile, true);
            }
        }
    }

    /** The fingers rest: pictures of what is in sight. */
    #rest() {
        const [first, last] = this.#sight(1);
        for (let at = first; at <= last; at++) {
            const tile = this.tiles.get(at);
            if (tile) {
                this.#picture(tile, true);
            }
        }
    }

    #scrolled() {
        this.moved = performance.now();
        if (!this.frame) {
            this.frame = requestAnimationFrame(() => {
                this.frame = 0;
                this.#paint();
                this.#want();
            });
        }
    }

    /* ---- choosing ---- */

    /** The tile under a press, whose entry is kept: the list may change meanwhile. None while the
     * list still runs under the finger. */
    #wanted(event) {
        const tile = event.target.closest('.tile');
        const runs = event.type === 'pointerdown' && performance.now() - (this.moved ?? -1000) < 100;
        this.pressed = tile?.entry;
        return this.pressed?.id != null && !runs ? tile : null;
    }

    #show(at) {
        const top = Math.floor(at / this.columns) * this.rise;
        const middle = top - (this.scroll.clientHeight - this.rise) / 2;
        this.scroll.scrollTop = Math.max(0, middle);
        this.#paint();
        this.#want();
    }

    #key(event) {
        const rows = Math.max(1, Math.floor(this.scroll.clientHeight / this.rise));
        const steps = {ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.columns, ArrowUp: -this.columns,
                       PageDown: rows * this.columns, PageUp: -rows * this.columns,
                       Home: -this.total, End: this.total}[event.key];
        if (steps === undefined || this.total === 0) {
            return;
        }
        event.preventDefault();
        const before = this.tiles.get(this.focus);
        this.focus = Math.min(this.total - 1, Math.max(0, this.focus + steps));
        const top = Math.floor(this.focus / this.columns) * this.rise;
        if (top < this.scroll.scrollTop || top + this.rise > this.scroll.scrollTop + this.scroll.clientHeight) {
            this.#show(this.focus);
        }
        if (before) {
            before.element.tabIndex = -1;
        }
        const tile = this.tiles.get(this.focus);
        if (tile) {
            tile.element.tabIndex = 0;
            tile.element.focus({preventScroll: true});
        }
    }
}
