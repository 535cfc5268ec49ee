/**
 * What the pages do beyond HTML: live updates, and times in the reader's own time zone. Everything works without this
 * script.
 */

const list = document.querySelector('.posts[data-after]');
const status = document.querySelector('.live');

function localTimes(root) {
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of root.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime));
}
localTimes(document);

if (list && status) {
  const source = new EventSource(`/events?after=${list.dataset.after}`);
  source.addEventListener('open', () => (status.hidden = false));
  source.addEventListener('error', () => (status.hidden = true));
  source.addEventListener('added', ({ data }) => {
    const { id, html } = JSON.parse(data);
    if (!html || document.getElementById(`post-${id}`)) return;
    const template = document.createElement('template');
    template.innerHTML = html; // rendered by the server with the view of a post, which escapes everything
    localTimes(template.content);
    template.content.firstElementChild.classList.add('new');
    document.querySelector('.empty')?.remove();
    list.prepend(template.content);
  });
  source.addEventListener('removed', ({ data }) =>
    document.getElementById(`post-${JSON.parse(data).id}`)?.remove(),
  );
  source.addEventListener('reload', () => location.reload());
}
