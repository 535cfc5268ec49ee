/** The page of the chat. Connects again after a stop of the server, and sends what was not confirmed once more. */
const ROOMS = ['lobby', 'coffee', 'help'];
const $ = id => document.getElementById(id);
const room = ROOMS.includes(location.hash.slice(1)) ? location.hash.slice(1) : ROOMS[0];
addEventListener('hashchange', () => location.reload());

let me;
let socket;
let last = 0;
let attempts = 0;
/** Messages that the server has not confirmed, by id. */
const waiting = new Map();
/** The elements of own messages, by id, until their number is known. */
const drafts = new Map();

function show({ id, from, text }, isWaiting) {
  const line = drafts.get(id) ?? document.createElement('li');
  if (!line.isConnected) {
    const name = document.createElement('b');
    name.textContent = from;
    line.append(name, text);
  }
  line.classList.toggle('own', from === me);
  line.classList.toggle('waiting', isWaiting);
  const list = $('messages');
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
  if (isWaiting) drafts.set(id, line);
  else drafts.delete(id);
  list.append(line);
  if (isAtEnd || from === me) list.scrollTop = list.scrollHeight;
}

const receive = {
  message(event) {
    if (event.number <= last) return; // known from before the connection was lost
    last = event.number;
    show(event, false);
  },
  sent: ({ id }) => waiting.delete(id),
  present({ users }) {
    $('present').textContent = `Here: ${users.join(', ')}`;
  },
  error({ text }) {
    $('state').textContent = text;
  },
};

function connect() {
  const url = new URL(`rooms/${room}?after=${last}`, location.href);
  url.protocol = url.protocol.replace('http', 'ws');
  url.hash = '';
  socket = new WebSocket(url);
  socket.onopen = () => {
    attempts = 0;
    $('state').textContent = 'Connected';
    for (const message of waiting.values()) socket.send(JSON.stringify(message));
  };
  socket.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    receive[event.type]?.(event);
  };
  socket.onclose = () => {
    $('state').textContent = 'Connecting…';
    // Reconnects at once after a stop, and then less and less often. Random delays spread the clients.
    setTimeout(connectAgain, Math.min(10_000, 100 * 2 ** attempts++) * (0.5 + Math.random()));
  };
}

async function connectAgain() {
  // Browsers do not say why a socket was refused: the session may have expired.
  const name = attempts > 1 ? await findName().catch(() => me) : me;
  if (name) connect();
  else askForName();
}

const findName = async () => (await (await fetch('me')).json()).name;

function askForName() {
  $('chat').hidden = true;
  $('login').hidden = false;
  $('name').focus();
}

function enter(name) {
  me = name;
  // The server may have started again with nothing: then its numbers begin with 1.
  last = 0;
  $('messages').replaceChildren(...drafts.values());
  $('login').hidden = true;
  $('chat').hidden = false;
  $('title').textContent = room;
  $('state').textContent = 'Connecting…';
  $('rooms').replaceChildren(
    ...ROOMS.map(one => {
      const link = Object.assign(document.createElement('a'), { href: `#${one}`, textContent: one });
      if (one === room) link.setAttribute('aria-current', 'page');
      return link;
    }),
  );
  connect();
  $('text').focus();
}

$('compose').addEventListener('submit', event => {
  event.preventDefault();
  const text = $('text').value.trim();
  if (text === '') return;
  const message = { id: crypto.randomUUID?.() ?? String(Math.random()), text };
  waiting.set(message.id, message);
  show({ ...message, from: me }, true);
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  $('text').value = '';
});

$('login').addEventListener('submit', async event => {
  event.preventDefault();
  const response = await fetch('login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: $('name').value }),
  });
  const { name, error } = await response.json();
  if (response.ok) enter(name);
  else $('refusal').textContent = error;
});

const name = await findName();
if (name) enter(name);
else askForName();
