/**
 * Adds to the pages what HTML cannot do: live updates, times that stay right, likes without a new page, and source
 * code beside the feature. Everything works without this script.
 */

const list = document.querySelector('[data-after]');
const status = document.querySelector('.live');

const UNITS = [
  ['min', 60, 60],
  ['h', 3600, 24],
  ['d', 86_400, 7],
];
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

function ago(time) {
  const seconds = (Date.now() - time) / 1000;
  if (seconds < 60) return 'now';
  const unit = UNITS.find(([, length, limit]) => seconds < length * limit);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : date.format(time);
}

/** Shows how long ago things happened; the log of the panel shows the time of day. */
function showTimes(root) {
  for (const time of root.querySelectorAll('time:not(.clock)')) {
    time.textContent = ago(new Date(time.dateTime));
    time.title = exact.format(new Date(time.dateTime));
  }
}
showTimes(document);
setInterval(showTimes, 30_000, document);

/** Milliseconds before the first new attempt, and the maximum between later ones. */
const [SOON, LATE] = [1000, 30_000];

if (list) {
  let last = list.dataset.after;
  let pause = SOON;

  function listen() {
    const source = new EventSource(`/events?after=${last}`);
    const on = (name, act) =>
      source.addEventListener(name, event => {
        if (event.lastEventId) last = event.lastEventId;
        act(event);
      });
    on('added', add);
    on('changed', change);
    on('removed', remove);
    on('reload', () => location.reload());
    source.addEventListener('open', () => {
      pause = SOON;
      if (status) status.hidden = false;
    });
    source.addEventListener('error', () => {
      if (status) status.hidden = true;
      // A browser reconnects when a stream ends. It gives up for good when it gets an error response, such as the 502
      // of a proxy whose server is restarting. The script then reconnects at a random time, so that not all pages come
      // back at the same moment.
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(listen, pause * (0.5 + Math.random()));
      pause = Math.min(2 * pause, LATE);
    });
  }

  /** Returns the post in an event, as the server has rendered it with the view of a post, which escapes everything. */
  function postOf(html) {
    const template = document.createElement('template');
    template.innerHTML = html ?? '';
    showTimes(template.content);
    return template.content.querySelector('article');
  }

  function add({ data }) {
    const { id, parent, html } = JSON.parse(data);
    const post = postOf(html);
    if (!post || document.getElementById(`post-${id}`)) return;
    post.classList.add('new');
    if (parent === null && !list.dataset.post) {
      document.querySelector('.empty')?.remove();
      list.prepend(post);
    } else if (String(parent) === list.dataset.post) list.querySelector('.replies').append(post);
  }

  /** Takes over what may have changed, and leaves the buttons, which depend on the reader. */
  function change({ data }) {
    const { id, html } = JSON.parse(data);
    const [shown, post] = [document.getElementById(`post-${id}`), postOf(html)];
    if (!shown || !post) return;
    for (const selector of ['.text', '.edited', '.like .count', '.reply .count']) {
      const [old, current] = [shown.querySelector(selector), post.querySelector(selector)];
      if (old && current) old.textContent = current.textContent;
    }
  }

  function remove({ data }) {
    document.getElementById(`post-${JSON.parse(data).id}`)?.remove();
  }

  listen();
}

/** Shows a text where confirmations are. */
function notice(text) {
  document.querySelector('.notice')?.remove();
  const paragraph = document.createElement('p');
  paragraph.className = 'notice';
  paragraph.role = 'status';
  paragraph.textContent = text;
  document.querySelector('main').before(paragraph);
}

document.addEventListener('submit', async event => {
  const { target: form, submitter } = event;
  if (!form.matches('.like') || !document.querySelector('.menu')) return;
  event.preventDefault();
  const body = new URLSearchParams({ like: submitter.value });
  const sent = fetch(form.action, { method: 'POST', headers: { Accept: 'application/json' }, body });
  const res = await sent.catch(() => undefined);
  if (!res) return notice('The board cannot be reached. Try again when you are online.');
  if (!res.ok) return location.reload();
  const { liked } = await res.json();
  submitter.value = liked ? 'no' : 'yes';
  submitter.setAttribute('aria-pressed', liked);
});

/** Shows the code of a feature beside it, instead of on a page of its own. */
const drawer = document.querySelector('.drawer');
document.addEventListener('click', async event => {
  const link = event.target.closest('a[data-code]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const res = await fetch(link.href).catch(() => undefined);
  if (!res) return notice('The board cannot be reached. Try again when you are online.');
  const page = new DOMParser().parseFromString(await res.text(), 'text/html');
  drawer.querySelector('strong').textContent = page.querySelector('h1').textContent;
  drawer.querySelector('a').href = link.href;
  drawer.querySelector('div').replaceChildren(page.querySelector('.code'));
  drawer.showModal();
  drawer.querySelector('.marked')?.scrollIntoView({ block: 'start' });
});
drawer.addEventListener('click', event => {
  if (event.target === drawer) drawer.close();
});
