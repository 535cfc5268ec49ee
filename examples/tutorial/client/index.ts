import { client, unwrap } from './api.ts';

const [, , baseUrl = 'http://localhost:3000'] = process.argv;
const password = process.env.TEAM_PASSWORD ?? 'espresso';
const login = await client({ baseUrl })['/login'].post({ body: { name: 'Ada', password } });
unwrap(login);
const [cookie = ''] = login.headers.getSetCookie().map(text => text.replace(/;.*/, ''));
const api = client({ baseUrl, headers: { cookie } });

const task = unwrap(await api['/tasks'].post({ body: { title: 'Clean the grinder' } }));
console.log(task.id, task.title);
