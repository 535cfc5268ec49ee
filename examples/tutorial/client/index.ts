import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const [, , baseUrl = 'http://localhost:3000'] = process.argv;
const login = await createClient<paths>({ baseUrl }).POST('/login', {
  body: { name: 'Ada', password: process.env.TEAM_PASSWORD ?? 'espresso' },
  parseAs: 'stream',
});
const cookie = login.response.headers
  .getSetCookie()
  .map(text => text.replace(/;.*/, ''))
  .join('; ');
const api = createClient<paths>({ baseUrl, headers: { cookie } });

const { data, error } = await api.POST('/tasks', { body: { title: 'Clean the grinder' } });
if (error) throw new Error(error.detail);
console.log(data.id, data.title);
