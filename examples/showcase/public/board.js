/**
 * Adds to the pages what HTML cannot do: live updates, and times in the reader's own time zone. Everything works
 * without this script.
 */

const list = document.querySelector('.posts[data-after]');
const status = document.querySelector('.live');

function localTimes(root) {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of root.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime));
}
localTimes(document);

/** Milliseconds before the first new attempt, and the maximum between later ones. */
const [SOON, LATE] = [1000, 30_000];

if (list && status) {
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
    on('removed', remove);
    on('reload', () => location.reload());
    source.addEventListener('open', () => {
      pause = SOON;
      status.hidden = false;
    });
    source.addEventListener('error', () => {
      status.hidden = true;
      // A browser reconnects when a stream ends. It gives up for good when it gets an error response, such as the 502 of a
      // proxy whose server is restarting. The script then reconnects at a
      // random time, so that not all pages come back at the same moment.
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(listen, pause * (0.5 + Math.random()));
      pause = Math.min(2 * pause, LATE);
    });
  }

  function add({ data }) {
    const { id, html } = JSON.parse(data);
    if (!html || document.getElementById(`post-${id}`)) return;
    const template = document.createElement('template');
    template.innerHTML = html; // rendered by the server with the view of a post, which escapes everything
    localTimes(template.content);
    template.content.firstElementChild.classList.add('new');
    document.querySelector('.empty')?.remove();
    list.prepend(template.content);
  }

  function remove({ data }) {
    document.getElementById(`post-${JSON.parse(data).id}`)?.remove();
  }

  listen();
}
