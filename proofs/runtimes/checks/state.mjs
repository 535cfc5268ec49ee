/** Cookies, and sessions of express-session. */
import { gets } from './check.mjs';

const cookieOf = response => response.headers['set-cookie'].map(text => text.split(';')[0]).join('; ');

export const cookies = [
  {
    name: 'sets several cookies, each in a header of its own',
    ask: async ({ get }) => (await get('/state/set')).headers['set-cookie'],
    expected: [
      'plain=a%20b; Path=/; HttpOnly; SameSite=Lax',
      'json=j%3A%7B%22n%22%3A1%7D; Path=/',
      'signed=s%3Avalue.UOA%2BvmW%2BmLuL8RuiyJLVTAeayisNOwFidpxtdXolQ08; Path=/',
      'old=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    ],
  },
  {
    name: 'reads its cookies back, signed ones too',
    ask: async ({ get }) => {
      const Cookie = cookieOf(await get('/state/set'));
      return JSON.parse((await get('/state/read', { Cookie })).body);
    },
    expected: { cookies: { plain: 'a b', json: { n: 1 } }, signed: { signed: 'value' } },
  },
  {
    name: 'does not accept a signed cookie that was changed',
    ask: async ({ get }) => {
      const Cookie = cookieOf(await get('/state/set')).replace('s%3Avalue', 's%3Aother');
      return JSON.parse((await get('/state/read', { Cookie })).body).signed;
    },
    expected: { signed: false },
  },
];

export const sessions = [
  {
    name: 'keeps a session over three requests',
    ask: async ({ get }) => {
      const first = await get('/state/session/count');
      const Cookie = cookieOf(first);
      const next = [
        await get('/state/session/count', { Cookie }),
        await get('/state/session/count', { Cookie }),
      ];
      return [first, ...next].map(({ body }) => body);
    },
    expected: ['{"count":1}', '{"count":2}', '{"count":3}'],
  },
  gets('sets no cookie for a session that was not touched', '/state/session/none', {
    status: 200,
    headers: { 'set-cookie': undefined },
  }),
  {
    name: 'begins anew when the session was destroyed',
    ask: async ({ get }) => {
      const Cookie = cookieOf(await get('/state/session/count'));
      await get('/state/session/count', { Cookie });
      await get('/state/session/end', { Cookie });
      return (await get('/state/session/count', { Cookie })).body;
    },
    expected: '{"count":1}',
  },
];
