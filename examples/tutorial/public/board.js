const list = document.querySelector('ul');
const items = new Map();

function show({ id, title, done }) {
  const item = items.get(id) ?? list.appendChild(document.createElement('li'));
  item.textContent = `${done ? '☑' : '☐'} ${title}`; // not innerHTML: a title is text
  items.set(id, item);
}

const source = new EventSource('/tasks/events');
for (const event of ['created', 'changed'])
  source.addEventListener(event, ({ data }) => show(JSON.parse(data)));
source.addEventListener('deleted', ({ data }) => items.get(JSON.parse(data).id)?.remove());
// Also runs after a reconnect, to fetch what was created in the meantime.
source.addEventListener('open', async () => {
  for (const task of await (await fetch('/tasks')).json()) show(task);
});
