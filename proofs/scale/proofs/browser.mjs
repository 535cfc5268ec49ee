/**
 * Proof: a page that stays open in a real browser is updated again after its event stream got a 502, and after restarts,
 * including the events that it missed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startBrowser } from '../../../scripts/browser.mjs';
import { request } from '../clients.mjs';

/** The longest pause of the page's script is half a minute, and up to half of it more. */
const PATIENCE = 60_000;

/** The script of the page as someone would write it who does not think of errors. Quotes would end nginx's string. */
const NAIVE = [
  "const list = document.querySelector('.posts[data-after]'), live = document.querySelector('.live');",
  "const source = new EventSource('/events?after=' + list.dataset.after);",
  "source.addEventListener('open', () => (live.hidden = false));",
  "source.addEventListener('error', () => (live.hidden = true));",
  "source.addEventListener('added', e => list.insertAdjacentHTML('afterbegin', JSON.parse(e.data).html));",
].join(' ');

/** @type {import('../proofs.mjs').Proof} */
export const browser = {
  name: 'browser',
  title: 'an open page in a browser comes back after a 502',
  faults: [
    {
      name: 'naive',
      says: 'the page leaves it to EventSource to reconnect',
      site: () => ({
        nginx: [
          [
            /location = \/events/,
            `location = /assets/board.js { default_type text/javascript; return 200 "${NAIVE}"; }\n    location = /events`,
          ],
        ],
      }),
    },
  ],
  async run({ site, cookies }) {
    const running = await startBrowser();
    if (!running) return { figures: 'no browser, so not checked', reached: true };
    const { boards, port, nginx } = site;
    try {
      const page = await running.newPage({ ignoreHTTPSErrors: true });
      const until = async (isSo, what) => {
        for (const end = performance.now() + PATIENCE; !(await isSo()); await sleep(50)) {
          if (performance.now() > end) throw new Error(`${what}did not happen within ${PATIENCE} ms`);
        }
      };
      const sees = expression => () => page.evaluate(expression);
      const isLive = "!document.querySelector('.live').hidden";
      /** Posts, and returns the milliseconds until the page shows it. */
      const shown = async text => {
        const began = performance.now();
        await until(async () => {
          const json = { text };
          const headers = { 'Idempotency-Key': text.replaceAll(' ', '-') };
          return (
            (await request({ port, path: '/api/posts', cookie: cookies[0], json, headers })).status === 201
          );
        }, text);
        await until(sees(`document.querySelector('.posts').textContent.includes('${text}')`), text);
        return Math.round(performance.now() - began);
      };
      await page.goto(`https://localhost:${port}/`);
      await page.evaluate('window.isTheSame = true');
      await until(sees(isLive), 'the stream opened');
      const first = await shown('browser before');

      const earlier = nginx.requests().length;
      const refused = () =>
        nginx
          .requests()
          .slice(earlier)
          .filter(({ uri, status }) => uri.startsWith('/events') && status === 502).length;
      await Promise.all(boards.map(board => board.stop('SIGKILL')));
      await until(() => refused() > 0, 'a 502');
      await until(async () => !(await page.evaluate(isLive)), 'the page noticed');
      await Promise.all(boards.map(board => board.start()));
      // At this moment the page is still waiting: it gets this post as a missed one.
      const afterError = await shown('browser after a 502');
      for (const board of boards) {
        await board.stop();
        await board.start();
      }
      const afterRestart = await shown('browser after a restart');
      const isTheSame = await page.evaluate('window.isTheSame === true');
      return {
        figures: `a post is shown after ${first} ms, ${afterError} ms after ${refused()} times 502, ${afterRestart} ms after restarts; ${isTheSame ? 'never' : 'once or more'} reloaded`,
        reached: isTheSame,
      };
    } finally {
      await running.close();
    }
  },
};
