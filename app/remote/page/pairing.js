/* Six digits, sent as soon as they are there. */
import {buzz} from './touch.js';

const DIGITS = 6;
const boxes = [...document.querySelectorAll('#code i')];
const keys = [...document.querySelectorAll('#keys button')];
const says = document.getElementById('says');
const first = says.textContent;
let code = '';
let busy = false;

function show() {
    boxes.forEach((box, i) => {
        box.textContent = code[i] ?? '';
        box.classList.toggle('next', i === code.length);
    });
    document.getElementById('code').setAttribute('aria-label',
        code === '' ? 'No digits yet' : `${code.length} of ${DIGITS} digits: ${[...code].join(' ')}`);
    keys.forEach(key => { key.disabled = busy; });
}

function say(text, wrong) {
    says.textContent = text;
    says.classList.toggle('wrong', wrong);
}

/** Nothing can be typed for so many seconds. */
async function wait(seconds) {
    for (let left = seconds; left > 0; left--) {
        say(`Too many tries. Wait ${left} s.`, true);
        await new Promise(done => setTimeout(done, 1000));
    }
    say(first, false);
}

/** What froth said to the code. */
async function answered(answer) {
    if (answer.type === 'opaqueredirect' || answer.ok) {
        say('Paired.', false);
        buzz(35);
        location.replace('/');
        return;
    }
    buzz([40, 60, 40]);
    if (answer.status === 429) {
        await wait(Math.min(600, Math.max(1, Number(answer.headers.get('Retry-After')) || 5)));
    } else if (answer.status === 403) {
        say('That was not the code. Look again: it may be a new one.', true);
    } else {
        say('There is no code now. Ask the operator for a new one.', true);
    }
}

async function send() {
    busy = true;
    show();
    say('…', false);
    try {
        await answered(await fetch('/pair', {
            method: 'POST',
            body: new URLSearchParams({code}),
            redirect: 'manual',
            cache: 'no-store',
        }));
    } catch {
        say('froth does not answer. Are you in its network?', true);
    }
    code = '';
    busy = false;
    show();
}

function type(key) {
    if (busy) {
        return;
    }
    if (/^[0-9]$/.test(key) && code.length < DIGITS) {
        code += key;
    } else if (key === 'Backspace') {
        code = code.slice(0, -1);
    } else if (key === 'Delete' || key === 'Escape') {
        code = '';
    } else {
        return;
    }
    buzz(10);
    show();
    if (code.length === DIGITS) {
        send();
    }
}

for (const key of keys) {
    key.addEventListener('click', () => type(key.dataset.key ?? key.textContent));
}
document.addEventListener('keydown', event => !event.ctrlKey && !event.metaKey && type(event.key));
document.addEventListener('paste', event => {
    const digits = event.clipboardData.getData('text').replace(/\D/g, '');
    if (digits.length === DIGITS) {
        code = '';
        [...digits].forEach(type);
    }
});
show();
