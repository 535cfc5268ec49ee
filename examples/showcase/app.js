// @ts-check
/** Puts the guest book together. The order matters: every line sees what those above have let through. */
import { fileURLToPath } from 'node:url';
import cookieParser from 'cookie-parser';
import web from 'ristretto';
import { makeAdmin } from './admin/app.js';
import { api } from './api.js';
import { errorPage, notFound } from './errors.js';
import { pages } from './pages.js';
import { sameOrigin, securityHeaders } from './security.js';
import { makeStore } from './store.js';
import { texts } from './texts.js';
import { visitor } from './visitor.js';

/** The path of a folder beside this file.
 * @param {string} name
 */
const folder = name => fileURLToPath(new URL(name, import.meta.url));

/**
 * @param {Pick<import('./config.js').Config, 'cookieSecret' | 'adminPassword' | 'proxies'>} config
 * @param {import('./store.js').Store} [store]
 */
export function makeApp(config, store = makeStore()) {
  const app = web();
  app.set('view engine', 'ejs');
  app.set('views', folder('views'));
  app.set('trust proxy', config.proxies);
  app.disable('x-powered-by');
  app.locals.site = 'Guest book';
  app.locals.store = store;

  app.use(securityHeaders);
  app.use(web.static(folder('public'), { maxAge: '1h' }));
  app.use(sameOrigin);
  app.use(cookieParser(config.cookieSecret));

  app.use('/api', api);
  app.use('/admin', makeAdmin(store, config.adminPassword));
  app.use(visitor);
  app.use('/texts', texts);
  app.use('/', pages);

  app.use(notFound);
  app.use(errorPage);
  return app;
}
