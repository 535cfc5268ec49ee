/** Proof: a user who logs in on one process is logged in on all, and likewise logged out on all. */
import { logIn, request } from '../clients.mjs';

/** @type {import('../proofs.mjs').Proof} */
export const login = {
  name: 'login',
  title: 'a login on one process is seen by the others',
  faults: [
    {
      name: 'own-sessions',
      says: 'each process keeps its sessions in a Redis database of its own',
      site: services => ({ env: index => ({ REDIS_URL: `${services.urls.redisUrl}/${index}` }) }),
    },
  ],
  async run({ site, credentials }) {
    const { boards, port } = site;
    const isIn = async (/** @type {Parameters<typeof request>[0]} */ to) =>
      (await request({ ...to, path: '/api/session' })).status === 200;
    let seen = 0;
    let gone = 0;
    for (const board of boards) {
      const cookie = await logIn({ port: board.port, plain: true, path: '', json: credentials });
      for (const other of boards) {
        if (await isIn({ port: other.port, plain: true, path: '', cookie })) seen++;
      }
      await request({ port: board.port, plain: true, path: '/api/session', method: 'DELETE', cookie });
      for (const other of boards) {
        if (!(await isIn({ port: other.port, plain: true, path: '', cookie }))) gone++;
      }
    }
    const cookie = await logIn({ port, path: '', json: credentials });
    const pages = 4 * boards.length;
    let named = 0;
    for (let n = 0; n < pages; n++) {
      const { text } = await request({ port, path: '/', cookie });
      if (text.includes(`<span class="who">${credentials.name}`)) named++;
    }
    const all = boards.length ** 2;
    return {
      figures: `${seen} of ${all} times seen, ${gone} of ${all} times ended; ${named} of ${pages} pages through nginx had the name`,
      reached: seen === all && gone === all && named === pages,
    };
  },
};
