/** swagger-ui-express with a document that swagger-jsdoc reads from comments. */
'use strict';

const assert = require('node:assert/strict');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['swagger-ui-express', 'swagger-jsdoc'],
  exercised:
    'serve and setup, serveFiles, generateHTML, options (explorer, customCss, customSiteTitle, swaggerUrl, swaggerOptions), req.swaggerDoc, two documents in one application, the assets with their types, comments in JavaScript and YAML files, errors of comments',

  async run({ listen, request, note }) {
    const express = require('express');
    const swaggerJsdoc = require('swagger-jsdoc');
    const swaggerUi = require('swagger-ui-express');
    fs.writeFileSync(
      'routes.js',
      '/**\n * @openapi\n * /users/{id}:\n *   get:\n *     parameters:\n *       - { name: id, in: path, required: true }\n *     responses:\n *       200: { description: a user }\n */',
    );
    fs.writeFileSync(
      'more.yaml',
      'paths:\n  /more:\n    get:\n      responses:\n        200: { description: more }\n',
    );
    fs.writeFileSync('bad.js', '/**\n * @openapi\n * /bad:\n *   get:\n *  - x: [\n */');
    const definition = { openapi: '3.0.0', info: { title: 'Users & more', version: '1.0.0' } };
    const document = swaggerJsdoc({ definition, apis: ['./routes.js', './more.yaml'] });
    assert.deepEqual(Object.keys(document.paths), ['/users/{id}', '/more']);
    assert.throws(() => swaggerJsdoc({ definition, apis: ['./bad.js'], failOnErrors: true }));
    const app = express();
    app.get('/docs.json', (req, res) => res.json(document));
    app.use(
      '/docs',
      swaggerUi.serve,
      swaggerUi.setup(document, {
        explorer: true,
        customCss: '.topbar { display: none }',
        customSiteTitle: 'Mine',
        swaggerOptions: { docExpansion: 'none' },
      }),
    );
    app.use(
      '/files',
      swaggerUi.serveFiles(document, { customfavIcon: '/icon.png' }),
      swaggerUi.setup(document),
    );
    app.use(
      '/url',
      swaggerUi.serveFiles(null, { swaggerUrl: '/docs.json' }),
      swaggerUi.setup(null, { swaggerUrl: '/docs.json' }),
    );
    const choose = (req, res, next) => {
      req.swaggerDoc = {
        ...document,
        host: req.get('host'),
        info: { ...document.info, title: req.query.title ?? 'none' },
      };
      next();
    };
    app.use('/request', choose, swaggerUi.serve, swaggerUi.setup());
    const router = express.Router();
    router.use('/', swaggerUi.serve);
    router.get('/', (req, res) =>
      res.send(swaggerUi.generateHTML(document, { customJs: '/mine.js', isExplorer: false })),
    );
    app.use('/router', router);
    const server = await listen(app);
    const assets = [
      'swagger-ui.css',
      'swagger-ui-init.js',
      'favicon-32x32.png',
      'index.html',
      'swagger-initializer.js',
      'missing.js',
      '../package.json',
    ];
    const lines = ['docs', 'files', 'url', 'request', 'router'].flatMap(path => [
      `GET /${path}`,
      `GET /${path}/`,
      ...assets.map(each => `GET /${path}/${each}`),
    ]);
    // The modification time of the installed files is that of the installation.
    const seen = await visit(
      request,
      server,
      [
        'GET /docs.json',
        ...lines,
        'GET /request/?title=Chosen',
        'GET /request/swagger-ui-init.js?title=Chosen',
      ],
      ['last-modified', 'etag'],
    );
    assert.match(seen[2].body, /<title>Mine<\/title>[^]*swagger-ui-init\.js/);
    assert.equal(seen[3].status, 200);
    const init = seen.filter(({ asked }) => asked === 'GET /files/swagger-ui-init.js');
    assert.match(init[0].body, /"title": "Users & more"/);
    assert.ok(statuses(seen).includes(301));
    note(Object.keys(swaggerUi).sort());
    return seen.map(answer =>
      answer.body.length > 20_000
        ? { ...answer, body: createHash('sha256').update(answer.body).digest('hex') }
        : answer,
    );
  },
};
