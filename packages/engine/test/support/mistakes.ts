/** Programs with one mistake each, and what the terminal has to say about it in development. */

export interface Mistake {
  title: string;
  /** `app` and `web` are given; a line that ends with `// <-` is the one to name. */
  program: string;
  asks?: { method?: string; path?: string; headers?: Record<string, string>; body?: string }[];
  /** What the terminal has to contain: what is wrong, in terms of the program. */
  terminal: RegExp[];
  /** What the terminal says to do, unless that is in `terminal`, or only the program's author knows. */
  remedy?: RegExp;
  /** The same for a version in which the message differs. */
  on?: Partial<Record<number, RegExp[]>>;
  /** What an error page has to contain, as text. */
  page?: RegExp[];
  /** Of the API; 4 and 5 if not set. */
  versions?: number[];
  /** Whether it is reported while there is no response. */
  isLate?: boolean;
  /** Whether the process ends: the program gets its own. */
  ends?: boolean;
}

const get = { path: '/' };
const post = (type: string, body: string): NonNullable<Mistake['asks']>[number] => ({
  method: 'POST',
  headers: { 'content-type': type, 'content-length': String(body.length) },
  body,
});
const socket = {
  headers: {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  },
};
const json = post('application/json', '{"name":"a"}');

const registration: Mistake[] = [
  {
    title: 'a handler is undefined',
    program: `const users = {};
app.get('/users', (req, res, next) => next(), users.list); // <-`,
    terminal: [/handler 2 of 'GET \/users' is undefined/i, /export/],
    remedy: /is it exported under this name/,
    versions: [3, 4, 5],
  },
  {
    title: 'a handler of a router is undefined, in a list',
    program: `const router = web.Router();
router.post('/:id', [(req, res, next) => next(), undefined]); // <-`,
    terminal: [/handler 2 of 'POST \/:id' is undefined/i],
    remedy: /is it exported under this name/,
  },
  {
    title: 'app.use gets undefined',
    program: `app.use('/api', undefined); // <-`,
    terminal: [/app\.use\('\/api'\) got undefined/i],
    remedy: /is it exported under this name/,
  },
  {
    title: 'app.use gets an ES module in place of its default export',
    program: `app.use({ default: web.Router() }); // <-`,
    terminal: [/app\.use\(\) got/, /`?default`?/, /module/],
    remedy: /pass its `default`/,
  },
  {
    title: 'app.use gets a promise',
    program: `app.use('/api', (async () => web.Router())()); // <-`,
    terminal: [/app\.use\('\/api'\) got a promise/, /await/],
    remedy: /await it, and pass its value/,
  },
  {
    title: 'app.use gets the path as a URL object',
    program: `app.use(new URL('http://a/b'), (req, res) => res.end()); // <-`,
    terminal: [/path must be a string/, /http:\/\/a\/b/],
    versions: [4],
  },
  {
    title: 'the factory Router is not called',
    program: `app.use('/users', web.Router); // <-`,
    terminal: [/RISTRETTO_NOT_CALLED/, /Router\(\)/],
    remedy: /Call it: Router\(\)/,
  },
  {
    title: 'the factory json is not called',
    program: `app.use(web.json); // <-`,
    terminal: [/RISTRETTO_NOT_CALLED/, /json\(\)/],
    remedy: /Call it: json\(\)/,
  },
  {
    title: 'the factory validate is not called',
    program: `app.use(web.validate); // <-`,
    terminal: [/RISTRETTO_NOT_CALLED/, /web\.validate\(\)/],
    remedy: /Call it: web\.validate\(\)/,
    versions: [4, 5],
  },
  {
    title: 'the factory health is not called',
    program: `app.use(web.health); // <-`,
    terminal: [/RISTRETTO_NOT_CALLED/, /web\.health\(\)/],
    remedy: /Call it: web\.health\(\)/,
    versions: [4, 5],
  },
  {
    title: 'the factory of a package is not called',
    program: `app.use(load('cors')); // <-`,
    terminal: [/RISTRETTO_NOT_CALLED/, /'middlewareWrapper'/, /cors\(\)/],
    remedy: /Call it: cors\(\)/,
  },
  {
    title: 'a factory with two parameters is not called',
    program: `function timing(label, options) { return (req, res, next) => next(); }
app.use(timing); // <-`,
    asks: [get],
    isLate: true,
    terminal: [/RISTRETTO_NOT_CALLED/, /'timing'/, /returned a function/, /timing\(\)/],
    remedy: /pass timing\(\) in place of timing/,
  },
  {
    title: 'a path without a slash',
    program: `app.get('users', (req, res) => res.end()); // <-`,
    terminal: [/'users' matches no request/, /Write '\/users'/],
    versions: [3, 4, 5],
  },
  {
    title: 'a path with one backslash',
    program: `app.get('/users/:id(\\d+)', (req, res) => res.end()); // <-`,
    terminal: [/':id\(d\+\)'|\(d\+\)/, /\\\\d/],
    remedy: /Write '\/users\/:id\(\\\\d\+\)'|pass a RegExp/,
    on: { 5: [/Unexpected \(/] },
    versions: [3, 4, 5],
  },
  {
    title: 'a path in the syntax of OpenAPI',
    program: `app.get('/users/{id}', (req, res) => res.end()); // <-`,
    terminal: [/'\{id\}'/, /OpenAPI/, /Write '\/users\/:id'/],
  },
  {
    title: 'a path in the syntax of Next.js',
    program: `app.get('/users/[id]', (req, res) => res.end()); // <-`,
    terminal: [/'\[id\]'/, /Next\.js/],
    remedy: /write '\/users\/:id'/i,
    on: { 5: [/Unexpected \[ at index 7: \/users\/\[id\]/] },
    versions: [3, 4, 5],
  },
  {
    title: 'a path with a regular expression that is invalid',
    program: `app.get('/users/:id([a)', (req, res) => res.end()); // <-`,
    terminal: [/Unterminated character class \(from the path '\/users\/:id\(\[a\)'\)/],
    remedy: /Unterminated character class|check the value in the handler/,
    on: { 5: [/Unexpected \( at index 10/] },
    versions: [3, 4, 5],
  },
  {
    title: 'a handler is called, and returns nothing',
    program: `const list = () => undefined;
app.get('/users', list()); // <-`,
    terminal: [/handler 1 of 'GET \/users' is undefined/i],
    remedy: /is it passed without a call/,
    versions: [3, 4, 5],
  },
  {
    title: 'an async handler is called',
    program: `const list = async () => undefined;
app.get('/users', list()); // <-`,
    terminal: [/handler 1 of 'GET \/users' is a promise/i],
    remedy: /pass the async function itself, without a call/,
    versions: [3, 4, 5],
  },
  {
    title: 'app.configure of Express 3',
    program: `setImmediate(() => {
  app.configure('production', () => {}); // <-
});`,
    ends: true,
    isLate: true,
    terminal: [/app\.configure is not a function/, /Express 3/],
    remedy: /use ristretto3/,
  },
  {
    title: 'a handler of app.ws takes the request first',
    program: `app.ws('/', (req, socket) => socket.send('a')); // <-`,
    terminal: [/RISTRETTO_SOCKET_HANDLER/, /called with \(socket, req\)/],
    remedy: /swap the two/,
  },
  {
    title: 'a path in the syntax of the other version',
    program: `app.get(web.Router.name === 'Router' ? '/a/*' : '/a/*rest', (req, res) => res.end()); // <-`,
    terminal: [/./],
    remedy: /write '\/a\/\{\*splat\}'/,
    on: { 5: [/Missing parameter name/, /\*path|\*name|\*splat/] },
    versions: [5],
  },
  {
    title: 'a wildcard of 5 on 4',
    program: `app.get('/files/*rest', (req, res) => res.end()); // <-`,
    terminal: [/'\*rest'/, /Write '\/files\/\*'/],
    versions: [4],
  },
  {
    title: 'a fixed path behind one with a parameter',
    program: `app.get('/users/:id', (req, res) => res.json(req.params.id));
app.get('/users/me', (req, res) => res.json('me')); // <-`,
    terminal: [/RISTRETTO_UNREACHABLE/, /'get \/users\/me'/i, /\.cjs:2:/],
    remedy: /Register it later|Register it before/,
  },
  {
    title: 'the same route twice',
    program: `app.get('/a', (req, res) => res.json(1));
app.get('/a', (req, res) => res.json(2)); // <-`,
    terminal: [/RISTRETTO_UNREACHABLE/, /'get \/a'/i, /\.cjs:2:/],
    remedy: /remove one of the two/,
  },
  {
    title: 'the 404 handler is registered before the routes',
    program: `app.use((req, res) => res.status(404).end());
app.get('/a', (req, res) => res.json(2)); // <-`,
    terminal: [/RISTRETTO_UNREACHABLE/, /\.cjs:2:/],
    remedy: /Register it later/,
  },
  {
    title: 'a route handler takes an error in place of a request',
    program: `app.use(function onError(err, req, res) { res.status(500).end(); }); // <-`,
    terminal: [/'onError'/, /3 parameters/, /\(err, req, res, next\)/],
    remedy: /exactly four: \(err, req, res, next\)/,
  },
  {
    title: 'the error handler is registered before the routes',
    program: `app.use((err, req, res, next) => res.status(500).end());
app.get('/', () => { throw new Error('broken'); }); // <-`,
    asks: [get],
    terminal: [/RISTRETTO_ERROR_HANDLER_ORDER/, /broken/, /after all routes/, /\.cjs:2:/],
    remedy: /Register error handlers after all routes/,
  },
  {
    title: 'cors is registered behind the routes',
    program: `app.get('/', (req, res) => res.json(1));
app.use(load('cors')()); // <-`,
    terminal: [/RISTRETTO_MIDDLEWARE_ORDER/, /'corsMiddleware'/, /before the routes/],
    remedy: /Register it before the routes/,
  },
  {
    title: 'a body parser is registered behind the routes',
    program: `app.post('/', (req, res) => res.json(req.body));
app.use(web.json()); // <-`,
    terminal: [/RISTRETTO_MIDDLEWARE_ORDER/, /'jsonParser'/, /before the routes/],
    remedy: /Register it before the routes/,
  },
  {
    title: 'a session is registered behind the routes',
    program: `app.get('/', (req, res) => res.json(req.session));
app.use(load('express-session')({ secret: 'x'.repeat(20), resave: false, saveUninitialized: false })); // <-
app.use((req, res) => res.status(404).end());`,
    terminal: [/RISTRETTO_MIDDLEWARE_ORDER/, /'session'/],
    remedy: /Register it before the routes/,
  },
  {
    title: 'a router repeats its mount path',
    program: `const router = web.Router();
router.get('/users/:id', (req, res) => res.json(1)); // <-
app.use('/users', router);`,
    asks: [{ path: '/users/7' }],
    terminal: [/RISTRETTO_NO_ROUTE/, /GET \/users\/7/, /\/users\/users\/:id/],
    remedy: /its own paths must not begin with it/,
  },
  {
    title: 'the path is registered for another method',
    program: `app.get('/users', (req, res) => res.json([])); // <-`,
    asks: [{ method: 'POST', path: '/users' }],
    terminal: [/RISTRETTO_NO_ROUTE/, /POST \/users/, /registered for GET/],
    remedy: /register the route with \.post\(\)/,
  },
  {
    title: 'a request leaves out the mount path',
    program: `const router = web.Router();
router.get('/users', (req, res) => res.json(1)); // <-
app.use('/api', router);`,
    asks: [{ path: '/users' }],
    terminal: [/RISTRETTO_NO_ROUTE/, /GET \/users/, /'\/api\/users'/],
    remedy: /did you mean '\/api\/users'/,
  },
  {
    title: 'the path is registered for another method, and the program answers 404',
    program: `app.get('/users', (req, res) => res.json([])); // <-
app.use((req, res) => res.status(404).json({ error: 'not found' }));`,
    asks: [{ method: 'POST', path: '/users' }],
    terminal: [/RISTRETTO_NO_ROUTE/, /POST \/users/, /registered for GET/],
    remedy: /register the route with \.post\(\)/,
  },
  {
    title: 'a callback of a parameter that no path has',
    program: `app.param('userid', (req, res, next) => next()); // <-
app.get('/users/:userId', (req, res) => res.end());`,
    terminal: [/RISTRETTO_UNUSED_PARAM/, /'userid'/, /userId/],
    remedy: /Did you mean 'userId'/,
  },
  {
    title: 'a callback of a parameter that only a mounted router has',
    program: `const router = web.Router();
router.get('/:id', (req, res) => res.end());
app.param('id', (req, res, next) => next()); // <-
app.use('/users', router);`,
    terminal: [/RISTRETTO_UNUSED_PARAM/, /'id'/, /router/],
    remedy: /call param\(\) on that router/,
  },
];

const parameters: Mistake[] = [
  {
    title: 'a handler reads a parameter that its path does not have',
    program: `app.get('/users/:userId', (req, res) => res.json(req.params.id)); // <-`,
    terminal: [/RISTRETTO_UNKNOWN_PARAM/, /req\.params\.id/, /userId/, /\/users\/:userId/],
    remedy: /Use the same name in both/,
  },
  {
    title: 'a handler destructures a parameter that its path does not have',
    program: `app.get('/users/:userId', async (req, res) => { // <-
  const { userId, postId } = req.params;
  res.json(postId);
});`,
    terminal: [/RISTRETTO_UNKNOWN_PARAM/, /req\.params\.postId/],
    remedy: /Use the same name in both/,
  },
  {
    title: 'a router reads a parameter of its mount path',
    program: `const issues = web.Router();
issues.get('/:issueId', (req, res) => res.json(req.params.projectId)); // <-
app.use('/projects/:projectId/issues', issues);`,
    terminal: [/RISTRETTO_UNKNOWN_PARAM/, /req\.params\.projectId/, /mergeParams: true/],
  },
  {
    title: 'a schema has a parameter that the path lacks',
    program: `const { z } = load('zod');
app.get('/users/:userId?', web.validate({ params: z.object({ userId: z.string(), user: z.string() }) }), (req, res) => res.end()); // <-`,
    asks: [{ path: '/users' }],
    terminal: [/RISTRETTO_UNKNOWN_PARAM/, /schema of GET \/users\/:userId\? has the parameter 'user'/],
    remedy: /Add ':user' to it/,
    versions: [4],
  },
  {
    title: 'a schema has a parameter of the mount path',
    program: `const issues = web.Router();
const { z } = load('zod');
issues.get('/:issueId', web.validate({ params: z.object({ projectId: z.string() }) }), (req, res) => res.end()); // <-
app.use('/projects/:projectId/issues', issues);`,
    asks: [{ path: '/projects/1/issues/2' }],
    terminal: [
      /RISTRETTO_UNKNOWN_PARAM/,
      /schema of GET \/projects\/:projectId/,
      /'projectId'/,
      /'\/:issueId'/,
    ],
    remedy: /mergeParams: true/,
  },
];

const bodies: Mistake[] = [
  {
    title: 'req.body is destructured without a parser',
    program: `app.post('/', (req, res) => {
  const { name } = req.body; // <-
  res.json(name);
});`,
    asks: [json],
    terminal: [/no parser has read/, /application\/json/, /web\.json\(\)/],
    remedy: /Add `app\.use\(web\.json\(\)\)`/,
    page: [/web\.json\(\)/],
  },
  {
    title: 'a parameter of an undefined member is read',
    program: `app.use(web.json());
app.post('/', (req, res) => {
  res.json(req.body.user.name); // <-
});`,
    asks: [post('text/plain', 'name=a')],
    terminal: [/text\/plain/, /web\.text\(\)/],
    remedy: /Add `app\.use\(web\.text\(\)\)`/,
  },
  {
    title: 'a body of a type that no parser reads',
    program: `app.use(web.json());
app.post('/', (req, res) => res.json(req.body ?? {})); // <-`,
    asks: [post('text/plain', '{"a":1}')],
    terminal: [/RISTRETTO_UNPARSED_BODY/, /text\/plain/, /Content-Type: application\/json/],
  },
  {
    title: 'a form without a parser for forms',
    program: `app.use(web.json());
app.post('/', (req, res) => res.json(req.body?.name ?? 'none')); // <-`,
    asks: [post('application/x-www-form-urlencoded', 'name=a')],
    terminal: [/RISTRETTO_UNPARSED_BODY/, /x-www-form-urlencoded/, /web\.urlencoded/],
    remedy: /Add `app\.use\(web\.urlencoded\(/,
  },
  {
    title: 'an upload without a parser for uploads',
    program: `app.use(web.json(), web.urlencoded({ extended: true }));
app.post('/', (req, res) => res.json(req.body ?? {})); // <-`,
    asks: [post('multipart/form-data; boundary=x', '--x\r\n\r\n\r\n--x--')],
    terminal: [/RISTRETTO_UNPARSED_BODY/, /multipart\/form-data/, /multer/],
    remedy: /Add an upload parser such as `multer`/,
  },
  {
    title: 'an option of a parser is misspelt',
    program: `app.use(web.json({ limt: '1mb' })); // <-`,
    terminal: [/RISTRETTO_UNKNOWN_OPTION/, /'limt'/, /'limit'/],
    remedy: /Did you mean 'limit'/,
    versions: [3, 4, 5],
  },
  {
    title: 'an option of a router is misspelt',
    program: `app.use('/:a', web.Router({ mergeParam: true })); // <-`,
    terminal: [/RISTRETTO_UNKNOWN_OPTION/, /'mergeParam'/, /'mergeParams'/],
    remedy: /Did you mean 'mergeParams'/,
  },
  {
    title: 'the limit of a parser is not a size',
    program: `app.use(web.json({ limit: 'a lot' })); // <-`,
    terminal: [/option limit "a lot" is invalid/],
    remedy: /text such as '1mb'/,
  },
  {
    title: 'the body is read twice',
    program: `app.use((req, res, next) => { req.on('data', () => {}).on('end', () => next()); });
app.use(web.json()); // <-
app.post('/', (req, res) => res.json(req.body));`,
    asks: [json],
    terminal: [/stream is not readable/, /Hint: .*read before|Hint: .*already read/],
    remedy: /Register the parser first/,
    page: [/already read/],
    versions: [4],
  },
  {
    title: 'the body is read before the parser',
    program: `app.use((req, res, next) => { req.on('data', () => {}).on('end', () => next()); });
app.use(web.json());
app.post('/', (req, res) => res.json(req.body)); // <-`,
    asks: [json],
    terminal: [/RISTRETTO_UNPARSED_BODY/, /already read the stream/, /before it/],
    remedy: /register the parser before it/,
    versions: [5],
  },
  {
    title: 'the bytes of a body are read behind a parser of JSON',
    program: `app.use(web.json());
app.post('/', web.raw({ type: 'application/json' }), (req, res) => res.send(req.body)); // <-`,
    asks: [json],
    terminal: [/RISTRETTO_PARSED_BODY/, /POST \//, /\{ name: 'a' \} and not its bytes/],
    remedy: /Register the route before that parser, or keep the bytes/,
  },
  {
    title: 'a proxy behind a body parser',
    program: `app.set('stuck warning', 500);
app.use(web.json());
app.post('/', (req, res) => { // <-
  const to = require('node:net').createServer(() => {}).listen(0, () => {
    const headers = { 'content-length': req.headers['content-length'] };
    req.pipe(require('node:http').request({ port: to.address().port, method: 'POST', headers }));
  }).unref();
});`,
    asks: [json],
    isLate: true,
    // Its own process: the warning has the text of that for another program
    ends: true,
    terminal: [/RISTRETTO_STUCK/, /piped on at .*:7:\d+ although a parser had read its body/],
    remedy: /register the proxy before the parser, or give the parser raw: true/,
  },
  {
    title: 'a file is larger than the limit of multer',
    program: `const multer = load('multer');
app.post('/', multer({ limits: { fileSize: 1 } }).single('photo'), (req, res) => res.end()); // <-`,
    asks: [
      post(
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\nabc\r\n--x--\r\n',
      ),
    ],
    terminal: [/LIMIT_FILE_SIZE|File too large/, /Hint: .*status/],
    remedy: /status\(413\)/,
    page: [/413/],
  },
  {
    title: 'a client sets the Content-Type of a form itself',
    program: `const multer = load('multer');
app.post('/', multer().single('photo'), (req, res) => res.end()); // <-`,
    asks: [post('multipart/form-data', '--x--\r\n')],
    terminal: [/Boundary not found/, /no `boundary`/],
    remedy: /do not set the header/,
  },
  {
    title: 'an upload has a field that multer does not expect',
    program: `const multer = load('multer');
app.post('/', multer().single('photo'), (req, res) => res.end()); // <-`,
    asks: [
      post(
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nabc\r\n--x--\r\n',
      ),
    ],
    terminal: [/Unexpected (?:file )?field/, /Hint: .*'image'|Hint: .*`image`/],
    remedy: /compare it with the name in `single\('…'\)`/,
  },
];

const responses: Mistake[] = [
  {
    title: 'res.json gets a promise',
    program: `app.get('/', (req, res) => res.json(Promise.resolve({ a: 1 }))); // <-`,
    terminal: [/RISTRETTO_LOST_VALUE/, /res\.json\(\) or res\.send\(\) got a promise/, /await/],
    remedy: /Send what it resolves to: await value/,
    versions: [3, 4, 5],
  },
  {
    title: 'res.json gets a promise within an object',
    program: `app.get('/', (req, res) => res.json({ user: Promise.resolve({ a: 1 }) })); // <-`,
    terminal: [/RISTRETTO_LOST_VALUE/, /value\.user/, /await/],
    remedy: /await value\.user/,
  },
  {
    title: 'res.send gets a promise',
    program: `app.get('/', (req, res) => res.send(Promise.resolve('a'))); // <-`,
    terminal: [/RISTRETTO_LOST_VALUE/, /res\.json\(\) or res\.send\(\) got a promise/, /await/],
    remedy: /Send what it resolves to: await value/,
  },
  {
    title: 'res.json gets undefined',
    program: `app.get('/', (req, res) => res.json([].find(Boolean))); // <-`,
    terminal: [/RISTRETTO_UNDEFINED_VALUE/, /res\.json\(\) got undefined/, /empty body/],
    remedy: /Send null, or a 404/,
    versions: [3, 4, 5],
  },
  {
    title: 'res.json gets a Map',
    program: `app.get('/', (req, res) => res.json({ users: new Map([[1, 2]]) })); // <-`,
    terminal: [/value\.users/, /Map/, /Object\.fromEntries/],
    remedy: /Send Object\.fromEntries\(value\.users\)/,
  },
  {
    title: 'res.status gets undefined',
    program: `app.get('/', (req, res) => res.status(undefined).json({})); // <-`,
    terminal: [/status/i, /undefined/],
    remedy: /Pass an integer|must be an integer/,
  },
  {
    title: 'res.status gets text',
    program: `app.get('/', (req, res) => res.status('not found').json({})); // <-`,
    terminal: [/not found/, /status/i],
    remedy: /Pass an integer|must be an integer/,
  },
  {
    title: 'a handler responds twice',
    program: `app.get('/', (req, res) => {
  if (req.path) res.json(1);
  res.json(2); // <-
});`,
    terminal: [
      /ERR_HTTP_HEADERS_SENT|Cannot set headers/,
      /already got its response at .*\.cjs:3:/,
      /return res\.json/,
    ],
    remedy: /`return res\.json\(value\);`/,
  },
  {
    title: 'next is called after the response',
    program: `app.get('/', (req, res, next) => {
  res.json(1);
  next(); // <-
});`,
    terminal: [/RISTRETTO_NEXT_AFTER_RESPONSE/, /GET \//, /\.cjs:3:/],
    remedy: /either call next\(\), or send a response and return/,
  },
  {
    title: 'next is called twice',
    program: `app.use((req, res, next) => {
  if (req.path) next();
  next(); // <-
});
app.get('/', (req, res) => res.headersSent || res.json(1));`,
    terminal: [/RISTRETTO_NEXT_TWICE/, /first at .*\.cjs:3:/],
    remedy: /Return after the first call/,
  },
  {
    title: 'a handler neither responds nor calls next',
    program: `app.set('stuck warning', 500);
app.get('/', (req, res) => { if (!req.path) res.json(1); }); // <-`,
    isLate: true,
    terminal: [/RISTRETTO_STUCK/, /GET \//, /neither sent a response nor called next/],
  },
  {
    title: 'a handler returns its value',
    program: `app.get('/', async () => ({ a: 1 })); // <-`,
    isLate: true,
    terminal: [/RISTRETTO_RETURNED_VALUE/, /\{ a: 1 \}/, /res\.json\(value\)/],
    remedy: /call res\.json\(value\)/,
  },
  {
    title: 'res.redirect gets undefined',
    program: `app.get('/', (req, res) => res.redirect(req.query.to)); // <-`,
    terminal: [/RISTRETTO_UNDEFINED_VALUE|RISTRETTO_REDIRECT/, /res\.redirect\(\)/],
    remedy: /Check where the value comes from/,
  },
  {
    title: 'a redirect leads to itself',
    program: `app.get('/login', (req, res) => res.redirect('/login')); // <-`,
    asks: [{ path: '/login' }],
    terminal: [/RISTRETTO_REDIRECT_LOOP/, /'\/login'/],
    remedy: /Redirect to another path/,
    versions: [3, 4, 5],
  },
  {
    title: 'the arguments of res.redirect are swapped',
    program: `app.get('/', (req, res) => res.redirect('/a', 301)); // <-`,
    terminal: [/res\.redirect\(status, url\)/],
    remedy: /Use res\.redirect\(status, url\)/,
    versions: [4],
  },
  {
    title: 'res.set gets undefined',
    program: `app.get('/', (req, res) => res.set('X-A', undefined).end()); // <-`,
    terminal: [/RISTRETTO_UNDEFINED_VALUE/, /res\.set\('X-A'\)/],
    remedy: /Check where the value comes from/,
  },
  {
    title: 'a header has a line break',
    program: `app.get('/', (req, res) => res.set('X-A', 'a\\nb').end()); // <-`,
    terminal: [/X-A/, /Hint: .*(line break|encodeURIComponent)/],
    remedy: /encodeURIComponent\(value\)/,
    page: [/encodeURIComponent/],
  },
  {
    title: 'res.json gets a circular value',
    program: `app.get('/', (req, res) => {
  const user = { name: 'a' };
  user.self = user;
  res.json({ user }); // <-
});`,
    terminal: [/circular/, /value\.user\.self refers back to value\.user/, /leave it out/],
    page: [/refers back/],
  },
  {
    title: 'res.json gets a BigInt',
    program: `app.get('/', (req, res) => res.json({ id: 1n })); // <-`,
    terminal: [/value\.id is the BigInt 1n/, /String\(value\.id\)/],
    remedy: /send String\(value\.id\)/,
  },
  {
    title: 'a cookie over plain HTTP is secure',
    program: `app.get('/', (req, res) => res.cookie('sid', 'a', { secure: true }).end()); // <-`,
    asks: [{ headers: { host: 'shop.test' } }],
    terminal: [/RISTRETTO_SECURE_COOKIE/, /'sid'/, /HTTPS/],
    remedy: /Use HTTPS/,
  },
  {
    title: 'a cookie for other sites is not secure',
    program: `app.get('/', (req, res) => res.cookie('sid', 'a', { sameSite: 'none' }).end()); // <-`,
    terminal: [/RISTRETTO_COOKIE/, /'sid'/, /secure: true/],
    remedy: /Add secure: true/,
  },
  {
    title: 'a cookie is for another host',
    program: `app.get('/', (req, res) => res.cookie('sid', 'a', { domain: 'example.com' }).end()); // <-`,
    asks: [{ headers: { host: 'localhost:3000' } }],
    terminal: [/RISTRETTO_COOKIE/, /'sid'/, /'example\.com'/, /localhost/],
    remedy: /Leave out domain/,
  },
  {
    title: 'an option of a cookie is misspelt',
    program: `app.get('/', (req, res) => res.cookie('sid', 'a', { httponly: true }).end()); // <-`,
    terminal: [/RISTRETTO_UNKNOWN_OPTION/, /'httponly'/, /'httpOnly'/],
    remedy: /Did you mean 'httpOnly'/,
  },
  {
    title: 'the maxAge of a cookie is text',
    program: `app.get('/', (req, res) => res.cookie('sid', 'a', { maxAge: '1h' }).end()); // <-`,
    terminal: [/RISTRETTO_COOKIE/, /'sid' has maxAge: '1h'/],
    remedy: /Write 3600000/,
  },
  {
    title: 'a hook of onSend responds with JSON',
    program: `app.onSend((body, res) => {
  res.json({ body }); // <-
});
app.get('/', (req, res) => res.send('a'));`,
    terminal: [/has been sent, and its hooks are still running/],
    remedy: /A hook of `onSend` cannot respond: it returns the new body/,
    page: [/cannot respond/],
  },
  {
    title: 'a hook of onSend ends the response',
    program: `app.onSend((body, res) => {
  res.end('b'); // <-
});
app.get('/', (req, res) => res.send('a'));`,
    terminal: [/has been sent, and its hooks are still running/],
    remedy: /A hook of `onSend` cannot respond: it returns the new body/,
    page: [/cannot respond/],
  },
  {
    title: 'a WebSocket sends an object',
    program: `app.ws('/', (socket, req) => {
  socket.send({ a: 1 }); // <-
});`,
    asks: [socket],
    terminal: [/must be of type string or an instance of Buffer/, /Received an instance of Object/],
    remedy: /socket\.send\(JSON\.stringify\(value\)\)/,
  },
  {
    title: 'a signed cookie without a secret',
    program: `app.get('/', (req, res) => res.cookie('sid', 'a', { signed: true }).end()); // <-`,
    terminal: [/cookieParser\("secret"\)/, /Hint: .*cookie-parser/],
    remedy: /Register `app\.use\(cookieParser\(secret\)\)`/,
  },
];

const failures: Mistake[] = [
  {
    title: 'next gets a misspelt signal',
    program: `app.get('/', (req, res, next) => {
  next('rotue'); // <-
}, (req, res) => res.end());`,
    terminal: [/'rotue'/, /Did you mean `?'route'/],
    remedy: /Did you mean `'route'`/,
    page: [/next\(/, /'route'/],
  },
  {
    title: 'next gets an object that is no error',
    program: `app.get('/', (req, res, next) => {
  next({ code: 'E_STOCK' }); // <-
});`,
    terminal: [/E_STOCK/, /passed to next\(\)/, /Error/],
    remedy: /Write `next\(Object\.assign\(new Error/,
    page: [/passed to next\(\)/],
  },
  {
    title: 'a handler throws null',
    program: `app.get('/', (req, res) => { throw null; }); // <-`,
    terminal: [/threw null/, /no error/, /Error/],
    remedy: /Throw an Error/,
  },
  {
    title: 'a handler throws text',
    program: `app.get('/', (req, res) => { throw 'out of stock'; }); // <-`,
    terminal: [/out of stock/, /thrown/, /new Error/],
    remedy: /Write `throw new Error\('out of stock'\)`/,
    page: [/thrown/],
  },
  {
    title: 'HttpError is called without new',
    program: `app.get('/', (req, res) => {
  throw web.HttpError(404, 'no such user'); // <-
});`,
    terminal: [/HttpError cannot be invoked without 'new'/],
    remedy: /Write `new HttpError\(…\)`/,
    page: [/new HttpError/],
  },
  {
    title: 'a promise is rejected without a reason',
    program: `app.get('/', async (req, res) => { await Promise.reject(); }); // <-`,
    terminal: [/reject/i, /undefined/],
    remedy: /reject with an Error/,
  },
  {
    title: 'a rejection has no frame of the program',
    program: `app.get('/', async (req, res) => res.json(await require('node:fs/promises').readFile('/no/such/file'))); // <-`,
    terminal: [/ENOENT/, /\/no\/such\/file/],
    remedy: /catch the error and send a 404/,
    page: [/ENOENT/],
  },
  {
    title: 'an error of a callback is passed on',
    program: `app.get('/', (req, res, next) => {
  require('node:fs').readFile('data.json', err => {
    if (err) next(err); // <-
  });
});`,
    terminal: [/ENOENT/, /data\.json/, /passed to next\(\)/, /Hint: .*path\.join\(__dirname/],
    remedy: /Use `path\.join\(__dirname/,
    page: [/passed to next\(\)/],
  },
  {
    title: 'the error handler fails',
    program: `app.get('/', () => { throw new Error('the first'); });
app.use((err, req, res, next) => {
  res.json(err.details.code); // <-
});`,
    terminal: [/Cannot read properties of undefined/, /the first/, /While handling/, /\.cjs:2:/],
    page: [/the first/],
  },
  {
    title: 'an error after the response',
    program: `app.get('/', async (req, res) => {
  res.json(1);
  await null;
  throw new Error('too late'); // <-
});`,
    terminal: [/too late/, /GET \//],
    remedy: /before you respond/,
  },
  {
    title: 'a timer fails',
    program: `app.get('/orders/:id', (req, res) => { // <-
  setTimeout(() => { throw new Error('in a timer'); }, 1);
  res.json(1);
});`,
    asks: [{ path: '/orders/7' }],
    ends: true,
    isLate: true,
    terminal: [/in a timer/, /the handler '<anonymous>' of GET \/orders\/:id started/],
    remedy: /catch errors and pass them to next\(err\)/,
  },
  {
    title: 'a promise that is not awaited is rejected',
    program: `app.post('/orders', (req, res) => { // <-
  (async () => { await null; throw new Error('in the background'); })();
  res.json(1);
});`,
    asks: [{ method: 'POST', path: '/orders' }],
    ends: true,
    isLate: true,
    terminal: [/in the background/, /the handler '<anonymous>' of POST \/orders started/, /Await promises/],
  },
];

const views: Mistake[] = [
  {
    title: 'there is no view engine',
    program: `app.get('/', (req, res) => res.render('index')); // <-`,
    terminal: [/No default engine/, /app\.set\('view engine'/],
    remedy: /`app\.set\('view engine', 'ejs'\)`/,
    page: [/view engine/],
  },
  {
    title: 'there is no such view',
    program: `app.set('view engine', 'ejs');
app.get('/', (req, res) => res.render('indx')); // <-`,
    terminal: [/Failed to lookup view "indx"/, /indx\.ejs/, /app\.set\('views'/],
    remedy: /Set the directories with `app\.set\('views'/,
    page: [/indx\.ejs/],
  },
  {
    title: 'a mounted application has its own views',
    program: `const admin = web();
app.engine('html', (file, options, callback) => callback(null, ''));
app.set('views', __dirname).set('view engine', 'html');
require('node:fs').writeFileSync(__dirname + '/admin-page.html', '');
admin.get('/', (req, res) => res.render('admin-page')); // <-
admin.set('views', __dirname + '/nowhere');
app.use('/admin', admin);`,
    asks: [{ path: '/admin' }],
    terminal: [/Failed to lookup view "admin-page"/, /mounted at '\/admin'/, /its own/],
    remedy: /has its own setting 'views'/,
  },
  {
    title: 'the view engine is not installed',
    program: `app.set('view engine', 'no-such-engine');
app.get('/', (req, res) => res.render('index')); // <-`,
    terminal: [/no-such-engine/, /npm install no-such-engine/],
  },
];

const files: Mistake[] = [
  {
    title: 'the directory of files does not exist',
    program: `app.use(web.static('pubilc')); // <-`,
    isLate: true,
    terminal: [/RISTRETTO_STATIC_ROOT/, /pubilc/, /does not exist/],
    versions: [3, 4, 5],
  },
  {
    title: 'res.sendFile gets a relative path',
    program: `app.get('/', (req, res) => res.sendFile('index.html')); // <-`,
    asks: [get],
    terminal: [/path must be absolute/, /path\.join\(__dirname|root: __dirname/],
    remedy: /Write `res\.sendFile\(path\.join\(__dirname/,
    page: [/__dirname/],
  },
  {
    title: 'res.sendFile gets a file that does not exist',
    program: `app.get('/', (req, res) => res.sendFile(__dirname + '/nothing.html')); // <-`,
    asks: [get],
    terminal: [/ENOENT/, /handler registered/, /nothing\.html/],
  },
  {
    title: 'res.sendFile gets a file in a hidden directory',
    program: `require('node:fs').mkdirSync(__dirname + '/.store', { recursive: true });
require('node:fs').writeFileSync(__dirname + '/.store/page.html', '');
app.get('/', (req, res) => {
  res.sendFile(__dirname + '/.store/page.html'); // <-
});`,
    asks: [get],
    terminal: [/RISTRETTO_HIDDEN_FILE/, /page\.html' is a 404, because '\.store'/],
    remedy: /Pass its directory as root/,
    versions: [5],
  },
  {
    title: 'res.download gets a file that does not exist',
    program: `app.get('/', (req, res) => { res.download(__dirname + '/report.pdf'); }); // <-`,
    asks: [get],
    terminal: [/ENOENT/, /handler registered/, /report\.pdf/],
  },
  {
    title: 'an option of files is misspelt',
    program: `app.use(web.static(__dirname, { dotfile: 'allow' })); // <-`,
    terminal: [/RISTRETTO_UNKNOWN_OPTION/, /'dotfile'/, /'dotfiles'/],
    remedy: /Did you mean 'dotfiles'/,
  },
];

const sessions: Mistake[] = [
  {
    title: 'the cookie of a session is never stored',
    program: `app.use(load('express-session')({ secret: 'x'.repeat(20), resave: false, saveUninitialized: true, cookie: { secure: true } }));
app.get('/', (req, res) => { req.session.user = 1; res.json(1); });`,
    asks: [get],
    terminal: [/RISTRETTO_SECURE_SESSION/, /cookie\.secure/],
    remedy: /set cookie\.secure to 'auto'/,
  },
  {
    title: 'Passport with cookie-session',
    program: `const passport = load('passport');
app.use(load('cookie-session')({ secret: 'x'.repeat(20) }), passport.initialize(), passport.session());
app.get('/', (req, res, next) => {
  req.login({ id: 1 }, next); // <-
});`,
    asks: [get],
    terminal: [/req\.session\.regenerate is not a function/, /`cookie-session` lack/],
    remedy: /Use `express-session`, or `cookieSession/,
    page: [/express-session/],
  },
  {
    title: 'the maxAge of a session of express-session is text',
    program: `const cookie = { maxAge: '1 day' };
app.use(load('express-session')({ secret: 'x'.repeat(20), resave: false, saveUninitialized: false, cookie })); // <-
app.get('/', (req, res) => res.end());`,
    asks: [get],
    ends: true,
    isLate: true,
    terminal: [/maxAge must be a number or Date/, /and not text such as `'1 day'`/],
    remedy: /write `24 \* 60 \* 60 \* 1000`/,
  },
  {
    title: 'the maxAge of a session is text',
    program: `const cookie = { maxAge: '1 day' };
app.use(load('@ristretto/session')({ secret: 'x'.repeat(20), resave: false, saveUninitialized: false, cookie })); // <-`,
    terminal: [/cookie\.maxAge must be a number of milliseconds, got '1 day'/],
  },
  {
    title: 'a session of express-session has no secret',
    program: `app.use(load('express-session')({ resave: false, saveUninitialized: false })); // <-
app.get('/', (req, res) => res.end());`,
    asks: [get],
    terminal: [/deprecated req\.secret; provide secret option/, /no `secret`, with which cookies are signed/],
    remedy: /session\(\{ secret: process\.env\.SESSION_SECRET \}\)/,
    page: [/secret/],
  },
  {
    title: 'a session has no secret',
    program: `app.use(load('@ristretto/session')({ resave: false, saveUninitialized: false })); // <-`,
    terminal: [/RISTRETTO_SESSION_SECRET/, /each request fails/],
    remedy: /session\(\{ secret: process\.env\.SESSION_SECRET \}\)/,
  },
  {
    title: 'req.session without its middleware',
    program: `app.get('/', (req, res) => {
  req.session.user = 1; // <-
  res.json(1);
});`,
    asks: [get],
    terminal: [/`req\.session` is not set/, /express-session/],
    remedy: /`app\.use` it before this route/,
    page: [/express-session/],
  },
  {
    title: 'req.cookies without its middleware',
    program: `app.get('/', (req, res) => {
  res.json(req.cookies.sid); // <-
});`,
    asks: [get],
    terminal: [/`req\.cookies` is not set/, /cookie-parser/],
    remedy: /`app\.use` it before this route/,
  },
];

const settings: Mistake[] = [
  {
    title: 'the name of a setting is misspelt',
    program: `app.set('veiw engine', 'pug'); // <-`,
    terminal: [/RISTRETTO_UNKNOWN_SETTING/, /'veiw engine'/, /'view engine'/],
    remedy: /Did you mean 'view engine'/,
    versions: [3, 4, 5],
  },
  {
    title: 'a misspelt setting is read',
    program: `app.get('trust-proxy'); // <-`,
    terminal: [/RISTRETTO_UNKNOWN_SETTING/, /'trust-proxy'/, /'trust proxy'/],
    remedy: /Did you mean 'trust proxy'/,
  },
  {
    title: 'a path is read as a setting',
    program: `app.get('/users'); // <-`,
    terminal: [/RISTRETTO_UNKNOWN_SETTING/, /'\/users'/, /handler/],
    remedy: /pass a handler/,
    versions: [3, 4, 5],
  },
  {
    title: 'a setting of routes comes after the routes',
    program: `app.get('/a', (req, res) => res.end());
app.enable('strict routing'); // <-`,
    terminal: [/RISTRETTO_LATE_SETTING/, /'strict routing'/, /before/],
    remedy: /Set it before that/,
  },
  {
    title: 'the port is undefined',
    program: `app.listen(process.env.NO_SUCH_PORT).unref(); // <-`,
    terminal: [/RISTRETTO_LISTEN/, /undefined/, /process\.env\.PORT \?\? 3000/],
    versions: [3, 4, 5],
  },
  {
    title: 'the port is not a number',
    program: `app.listen(Number('x')); // <-`,
    terminal: [/RISTRETTO_LISTEN|ERR_SOCKET_BAD_PORT/, /NaN/],
    remedy: />= 0 and < 65536/,
  },
  {
    title: 'the port is in use',
    program: `const server = require('node:net').createServer().listen(0, () => {
  app.listen(server.address().port); // <-
});`,
    ends: true,
    isLate: true,
    terminal: [/Port \d+ is in use \(EADDRINUSE\)/, /lsof -i :\d+|netstat/],
  },
  {
    title: 'a proxy is not trusted',
    program: `app.get('/', (req, res) => res.json(req.ip));`,
    asks: [{ headers: { 'x-forwarded-for': '1.2.3.4' } }],
    terminal: [/RISTRETTO_UNTRUSTED_PROXY/, /app\.set\('trust proxy', 1\)/],
  },
  {
    title: 'a proxy is trusted under a malformed address',
    program: `app.set('trust proxy', '10.0.0.300'); // <-`,
    terminal: [/invalid IP address: 10\.0\.0\.300/],
    remedy: /It takes true, the number of proxies/,
  },
  {
    title: 'a setting gets text in place of a boolean',
    program: `app.set('trust proxy', 'true'); // <-`,
    terminal: [/true/, /trust proxy/],
    remedy: /It takes true, the number of proxies/,
  },
];

/** Mistakes that show when a request arrives: `GET /` if there is no other. */
const onRequest = (mistakes: Mistake[]): Mistake[] => mistakes.map(mistake => ({ asks: [get], ...mistake }));

export const MISTAKES: Mistake[] = [
  ...registration,
  ...parameters,
  ...bodies,
  ...onRequest(responses),
  ...onRequest(failures),
  ...onRequest(views),
  ...files,
  ...sessions,
  ...settings,
];
