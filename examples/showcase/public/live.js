/** Keeps the panel at /live current: the state of the processes arrives once a second. */

const panel = document.querySelector('[data-live]');
const show = (name, value) => (panel.querySelector(`[data-show=${name}]`).textContent = value);
const whole = number => Math.round(number).toLocaleString('en');
const members = panel.querySelector('.members');
const mayOperate = members.querySelector('form') !== null;

/** One point for each second of the last minute. */
const SECONDS = 60;
const history = [];

function draw({ rate, p99 }) {
  history.push({ rate, p99 });
  if (history.length > SECONDS) history.shift();
  for (const name of ['rate', 'p99']) {
    const highest = Math.max(10, ...history.map(point => point[name])) * 1.15;
    const points = history.map((point, index) => {
      const x = 600 - (history.length - 1 - index) * (600 / (SECONDS - 1));
      return `${x.toFixed(1)},${(118 - (116 * point[name]) / highest).toFixed(1)}`;
    });
    panel.querySelector(`polyline.${name}`).setAttribute('points', points.join(' '));
  }
}

function button(pid, how, text, style) {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: `/live/${pid}/${how}` });
  form.innerHTML = `<button class="button small ${style}">${text}<span class="hidden"> process ${pid}</span></button>`;
  return form;
}

/** Updates the rows in place, so that a focused button keeps the focus. */
function showMembers(all) {
  for (const row of members.querySelectorAll('[data-member]')) {
    if (!all.some(({ pid }) => String(pid) === row.dataset.member)) row.remove();
  }
  for (const { pid, state, requests, memory } of all) {
    let row = members.querySelector(`[data-member="${pid}"]`);
    if (!row) {
      row = document.createElement('li');
      row.dataset.member = pid;
      row.innerHTML = `<strong>Process ${pid}</strong> <span class="status"></span> <span class="facts"></span>`;
      if (mayOperate)
        row.append(button(pid, 'restart', 'Restart', 'quiet'), button(pid, 'kill', 'Kill', 'destructive'));
      members.append(row);
    }
    row.dataset.state = state;
    row.querySelector('.status').textContent = state;
    row.querySelector('.facts').textContent = `serves ${requests} a second · ${whole(memory / 1e6)} MB`;
    for (const each of row.querySelectorAll('button')) each.disabled = state !== 'running';
  }
}

let newest = 0;
function showLog(entries) {
  if (entries[0]?.at === newest) return;
  newest = entries[0]?.at ?? 0;
  const rows = entries.map(({ at, text }) => {
    const row = document.createElement('li');
    const time = document.createElement('time');
    time.className = 'clock';
    time.dateTime = new Date(at).toISOString();
    time.textContent = new Date(at).toLocaleTimeString();
    row.append(time, ` ${text}`);
    return row;
  });
  panel.querySelector('.log').replaceChildren(...rows);
}

function showComparison({ ristretto, express, rounds, isRunning, problem }) {
  const section = document.querySelector('.compare');
  const submit = section.querySelector('form button');
  if (submit) submit.disabled = isRunning;
  if (isRunning && !ristretto) section.querySelector('.verdict').textContent = 'Warming up …';
  if (problem) section.querySelector('.verdict').textContent = problem;
  if (!ristretto) return;
  for (const [name, time] of Object.entries({ ristretto, express })) {
    const bar = section.querySelector(`[data-bar=${name}]`);
    bar.querySelector('meter').value = (100 * time) / Math.max(ristretto, express);
    bar.querySelector('span').textContent = `${time.toFixed(1)} µs`;
  }
  section.querySelector('.verdict').textContent =
    `Express takes ${(express / ristretto).toFixed(1)} times as long, after ${rounds} rounds on this machine.`;
}

const source = new EventSource('/live/events');
source.addEventListener('state', ({ data }) => {
  const { members: all, load, log, comparison, pid } = JSON.parse(data);
  panel.querySelector('[data-pid]').textContent = pid;
  show('lost', whole(load.lost));
  show('rate', whole(load.rate));
  show('p99', whole(load.p99));
  show('sent', whole(load.sent));
  show('repeated', whole(load.repeated));
  show('sockets', whole(all.reduce((sum, { sockets }) => sum + sockets, 0)));
  draw(load);
  showMembers(all);
  showLog(log);
  showComparison(comparison);
});
// The process of this stream was killed, and the browser has given up.
source.addEventListener('error', () => {
  if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 1000);
});

// Without a new page: the state that arrives shows what has happened.
document.addEventListener('submit', event => {
  const { target: form } = event;
  if (!new URL(form.action).pathname.startsWith('/live/')) return;
  event.preventDefault();
  form.querySelector('button').disabled = true;
  fetch(form.action, { method: 'POST', headers: { Accept: 'application/json' }, redirect: 'manual' }).catch(
    () => undefined,
  );
});
