/**
 * An application of the 3.x API with its middleware, each of which is loaded on first use. Without `web.directory` and
 * `web.errorHandler`: the packages they use read pages from their own folder.
 */
'use strict';
const path = require('node:path');
const ejs = require('ejs');
const { stopOnSignals } = require('ristretto');
const web = require('ristretto3');
const { serve } = require('../serve.cjs');

const app = web();
app.set('views', path.resolve('views')).engine('ejs', ejs.__express);
app.use(web.logger({ format: ':method :url :status', stream: process.stderr }));
app.use(web.responseTime());
app.use(web.favicon());
app.use(web.compress({ threshold: 0 }));
app.use(web.cookieParser('keyboard cat'));
app.use(web.cookieSession());
app.use('/in', web.session({ secret: 'keyboard cat' }));
app.use('/limited', web.limit('1kb'));
app.use(web.bodyParser());
app.use(web.methodOverride());
app.use(web.timeout(5000));
app.use('/private', web.basicAuth('user', 'password'));
app.use('/csrf', web.csrf());
app.use('/public', web.static(path.resolve('public')));
app.use(web.vhost('example.com', (req, res) => res.end('virtual host')));
app.use(app.router);

app.get('/', (req, res) => res.send({ version: web.version, type: web.mime.lookup('x.css') }));
app.get('/view', (req, res) => res.render('list.ejs', { title: '3.x', names: ['Tobi'] }));
app.all('/body', (req, res) => {
  const files = Object.entries(req.files ?? {}).map(([name, { size }]) => [name, size]);
  res.send({ method: req.method, body: req.body, files });
});
app.post('/limited', (req, res) => res.send(req.body));
app.get('/in/session', (req, res) => res.send(Object.keys(req.session)));
app.get('/private', (req, res) => res.send(req.user));
app.get('/csrf', (req, res) => res.send(typeof req.csrfToken()));
app.get('/status', (req, res) => res.send(204));
app.get('/throws', () => {
  throw new Error('broken');
});

serve(app, stopOnSignals);
