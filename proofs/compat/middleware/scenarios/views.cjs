/** View engines: the same pages with each, and what only it has. */
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { write } = require('../../frameworks/support/program.cjs');
const { statuses, visit } = require('../support/visit.cjs');

/**
 * Adds routes that render, to an application whose engine is set. Needs the views `index` (of `title`, `list`, `user`,
 * `nothing` and `site`), `broken` (that fails to compile) and `failing` (that calls `fail()`).
 */
function routes(app) {
  app.locals.site = 'Site & Söhne';
  app.use((req, res, next) => {
    res.locals.user = req.query.user;
    next();
  });
  const locals = { title: '<Title>', list: ['a', 'b<c>'] };
  app.get('/', (req, res) => res.render('index', locals));
  app.get('/again', (req, res) =>
    res
      .status(201)
      .type('text')
      .render('index', { ...locals, site: 'mine' }),
  );
  app.get('/callback', (req, res, next) =>
    res.render('index', locals, (err, text) => (err ? next(err) : res.json({ length: text.length, text }))),
  );
  app.get('/app', (req, res, next) =>
    app.render('index', { ...locals, user: 'app' }, (err, text) => (err ? next(err) : res.send(text))),
  );
  const fail = () => {
    throw Object.assign(new Error('from a helper'), { status: 418 });
  };
  app.get('/failing', (req, res) => res.render('failing', { fail }));
  app.get('/broken', (req, res) => res.render('broken'));
  app.get('/missing', (req, res) => res.render('missing'));
}

/**
 * Starts the application, and requests the routes of `routes`, twice if views may be cached, and others. Messages of errors of engines
 * contain paths; those of the working directory are random. Returns the responses and their statuses.
 */
async function tour({ listen, request }, app, more) {
  app.use((err, req, res, next) => {
    if (res.headersSent) return next(err);
    const message = err.message.replaceAll(process.cwd(), '<cwd>');
    res.status(err.status ?? 500).json({ name: err.name, message, view: err.view?.name });
  });
  const paths = [
    '/',
    '/?user=Ada',
    '/again?user=%3Ci%3E',
    '/callback',
    '/app',
    '/failing',
    '/broken',
    '/missing',
  ];
  const seen = await visit(
    request,
    await listen(app),
    [...paths, '/', ...more].map(each => `GET ${each}`),
  );
  return { seen, statuses: statuses(seen) };
}

module.exports = {
  programs: {
    /** ejs: the engine is found by its extension. */
    ejs: {
      packages: ['ejs'],
      exercised:
        'by extension and app.engine for html, includes, partial templates with locals, an engine function with another delimiter and async templates, several view directories, the view cache, errors of templates',

      async run(tools) {
        const express = require('express');
        const ejs = require('ejs');
        write({
          'views/index.ejs':
            '<h1><%= title %></h1><% for (const item of list) { %><%- include("parts/item", { item }) %><% } %><%= locals.user %> <%= site %>',
          'views/parts/item.ejs': '<li><%= item %>, <%= site %></li>',
          'views/failing.ejs': 'before <%= fail() %>',
          'views/broken.ejs': '<% if (',
          'views/undefined.ejs': 'line one\n<%= nothing.here %>',
          'more/other.ejs': '<p><?= await title ?></p>',
          'more/page.html': '<html><%= locals.user %> <%= settings.env %></html>',
        });
        const app = express();
        app.set('view engine', 'ejs').set('views', ['views', 'more']).engine('html', ejs.renderFile);
        routes(app);
        app.get('/undefined', (req, res) =>
          res.render('undefined', (err, html) =>
            res.json({ html, message: err.message.replaceAll(process.cwd(), '') }),
          ),
        );
        app.get('/html', (req, res) => res.render('page.html'));
        const other = express();
        other.set('views', 'more').set('view engine', 'ejs').enable('view cache');
        other.engine('ejs', (file, locals, callback) =>
          ejs
            .renderFile(file, locals, { delimiter: '?', async: true })
            .then(html => callback(null, html), callback),
        );
        other.get('/', (req, res) => res.render('other', { title: Promise.resolve('async') }));
        app.use('/other', other);
        const { seen, statuses } = await tour(tools, app, [
          '/undefined',
          '/html?user=<b>',
          '/other',
          '/other',
        ]);
        assert.deepEqual(statuses, [200, 200, 201, 200, 200, 418, 500, 500, 200, 200, 200, 200, 200]);
        assert.match(
          seen[1].body,
          /^<h1>&lt;Title&gt;<\/h1><li>a, Site &amp; Söhne<\/li><li>b&lt;c&gt;, Site &amp; Söhne<\/li>Ada /,
        );
        assert.equal(seen[11].body, '<p>async</p>');
        tools.note(Object.keys(app.cache), Object.keys(other.cache));
        return seen;
      },
    },

    /** eta: connected to app.engine by hand, as versions 2 and later require. */
    eta: {
      packages: ['eta'],
      exercised:
        'an engine function around render and renderAsync, layouts, includes, blocks, async templates, its cache beside the view cache, app.set("view") replaced by hand, errors of templates',

      async run(tools) {
        const express = require('express');
        const { Eta } = require('eta');
        write({
          'views/layout.eta': '<main><%~ it.body %></main><%= it.settings.env %>',
          'views/index.eta':
            '<% layout("./layout") %><h1><%= it.title %></h1><% it.list.forEach(item => { %><%~ include("./item", { item }) %><% }) %><%= it.user %> <%= it.site %>',
          'views/item.eta': '<li><%= it.item %></li>',
          'views/failing.eta': '<%= it.fail() %>',
          'views/broken.eta': '<% if ( %>',
          'views/async.eta': '<%= await it.wait() %>',
        });
        const app = express();
        const eta = new Eta({ views: path.resolve('views'), cache: true });
        app.engine('eta', (file, locals, callback) => {
          tools.note('options', path.basename(file), Object.keys(locals).sort(), locals.cache);
          try {
            const name = `./${path.basename(file, '.eta')}`;
            if (!locals.wait) return callback(null, eta.render(name, locals));
            eta.renderAsync(name, locals).then(text => callback(null, text), callback);
          } catch (err) {
            callback(err);
          }
        });
        app.set('view engine', 'eta').enable('view cache');
        routes(app);
        app.get('/async', (req, res) =>
          res.render('async', { wait: async () => `waited for ${req.query.user}` }),
        );
        app.get('/rejected', (req, res) =>
          res.render('async', {
            wait: () => Promise.reject(Object.assign(new Error('rejected'), { status: 409 })),
          }),
        );
        const direct = express();
        direct.set('view', function View(name) {
          this.path = name;
          this.render = (locals, callback) =>
            callback(null, eta.renderString('<%= it.x %> of <%= it.name %>', { ...locals, name }));
        });
        direct.get('/', (req, res) => res.render('by hand', { x: 'view' }));
        app.use('/direct', direct);
        const { seen, statuses } = await tour(tools, app, ['/async?user=Ada', '/rejected', '/direct']);
        assert.deepEqual(statuses.slice(0, 5), [200, 200, 201, 200, 200]);
        assert.match(
          seen[1].body,
          /^<main><h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada Site &amp; Söhne<\/main>(?:test|development|production)/,
        );
        assert.deepEqual(
          seen.slice(9).map(({ body }) => body),
          ['waited for Ada', '{"name":"Error","message":"rejected"}', 'view of by hand'],
        );
        return seen;
      },
    },

    /** express-handlebars: layouts, partials and helpers. */
    'express-handlebars': {
      packages: ['express-handlebars'],
      exercised:
        'engine() and create(), layouts (default, of one view, none), partials in several directories, helpers of the engine and of one view, extname, cached and uncached, _locals, errors of templates, renderView through an application',

      async run(tools) {
        const express = require('express');
        const { create, engine } = require('express-handlebars');
        write({
          'views/index.hbs':
            '<h1>{{title}}</h1>{{#each list}}{{> item}}{{/each}}{{> shared/user}}{{shout site}}',
          'views/failing.hbs': '{{fail}}',
          'views/broken.hbs': '{{#if}',
          'views/layouts/main.hbs': '<main>{{{body}}}</main><i>{{base settings.views}} {{cache}}</i>',
          'views/layouts/other.hbs': '<other>{{{body}}}</other>',
          'views/partials/item.hbs': '<li>{{this}}</li>',
          'parts/user.hbs': '<b>{{user}}</b>',
          'plain/index.handlebars': 'plain {{title}} {{user}}',
        });
        const app = express();
        const helpers = { shout: text => `${text}!`, base: folder => path.basename(folder) };
        const hbs = create({
          extname: '.hbs',
          helpers,
          partialsDir: ['views/partials', { dir: 'parts', namespace: 'shared' }],
        });
        app.engine('hbs', hbs.engine);
        app.set('view engine', 'hbs');
        app.enable('view cache');
        routes(app);
        const view = more => (req, res) => res.render('index', { title: 't', list: [1], ...more });
        app.get('/other', view({ layout: 'other' }));
        app.get('/none', view({ layout: false }));
        app.get('/helpers', view({ helpers: { shout: text => `¡${text}!` } }));
        app.get(
          '/partials',
          view({ partials: Promise.resolve({ item: () => 'partial', 'shared/user': () => '' }) }),
        );
        const plain = express();
        plain.engine('handlebars', engine({ defaultLayout: false }));
        plain.set('views', 'plain').set('view engine', 'handlebars');
        plain.get('/', (req, res) => res.render('index', { title: 'mounted' }));
        app.use('/plain', plain);
        const { seen, statuses } = await tour(tools, app, [
          '/other',
          '/none',
          '/helpers',
          '/partials',
          '/plain?user=x',
        ]);
        assert.deepEqual(statuses, [200, 200, 201, 200, 200, 418, 500, 500, 200, 200, 200, 200, 200, 200]);
        assert.match(
          seen[1].body,
          /^<main><h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li><b>Ada<\/b>Site &amp; Söhne!/,
        );
        assert.match(seen[9].body, /^<other>/);
        return { seen, precompiled: Object.keys(await hbs.getPartials()).sort() };
      },
    },

    /** hbs: Handlebars with layouts and partials. */
    hbs: {
      packages: ['hbs'],
      exercised:
        'the default layout, a layout of one view, none, registerPartials, registerHelper, registerAsyncHelper, localsAsTemplateData, contentFor, view options, create() with app.engine, the view cache, errors of templates',

      async run(tools) {
        const express = require('express');
        const hbs = require('hbs');
        write({
          'views/layout.hbs': '<main>{{{body}}}</main>{{{block "scripts"}}}',
          'views/other.hbs': '<other>{{{body}}}</other>',
          'views/index.hbs':
            '<h1>{{title}}</h1>{{#each list}}{{> item text=this}}{{/each}}{{user}} {{shout site}} {{@site}} {{later "x"}}',
          'views/parts/item.hbs': '<li>{{text}}</li>',
          'views/failing.hbs': '{{fail}}',
          'views/broken.hbs': '{{#if}',
          'own/index.html': '<p>{{title}} {{twice title}}</p>',
        });
        const app = express();
        app.set('view engine', 'hbs');
        hbs.registerHelper('shout', text => `${text}!`);
        hbs.registerAsyncHelper('later', (text, ...rest) => setImmediate(rest.at(-1), `late ${text}`));
        const blocks = { scripts: ['<script></script>'] };
        hbs.registerHelper('block', name => (blocks[name] ?? []).join(''));
        await new Promise((resolve, reject) =>
          hbs.registerPartials('views/parts', err => (err ? reject(err) : resolve())),
        );
        hbs.localsAsTemplateData(app);
        routes(app);
        const view = locals => (req, res) => res.render('index', { title: 't', list: [], ...locals });
        app.get('/other', view({ layout: 'other' }));
        app.get('/none', view({ layout: false }));
        app.get('/lost', view({ layout: 'lost' }));
        const own = express();
        const instance = hbs.create();
        instance.registerHelper('twice', text => `${text}${text}`);
        own
          .set('views', 'own')
          .set('view engine', 'html')
          .set('view options', { layout: false })
          .enable('view cache');
        own.engine('html', instance.__express);
        own.get('/', (req, res) => res.render('index', { title: 'own' }));
        app.use('/own', own);
        const { seen, statuses } = await tour(tools, app, ['/other', '/none', '/lost', '/own', '/own']);
        assert.deepEqual(statuses.slice(0, 5), [200, 200, 201, 200, 200]);
        assert.match(
          seen[1].body,
          /^<main><h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada Site &amp; Söhne! Site &amp; Söhne late x<\/main><script>/,
        );
        assert.match(seen[9].body, /^<other>/);
        assert.equal(seen[12].body, '<p>own ownown</p>');
        return seen;
      },
    },

    /** mustache-express: Mustache templates with partials. */
    'mustache-express': {
      packages: ['mustache-express'],
      exercised:
        'the directory and extension of partials, sections, lambdas, escaping, its cache beside the view cache, several extensions, a broken template',

      async run(tools) {
        const express = require('express');
        const mustache = require('mustache-express');
        write({
          'views/index.mustache':
            '<h1>{{title}}</h1>{{#list}}{{> item}}{{/list}}{{^nothing}}{{user}}{{/nothing}} {{{site}}}',
          'views/parts/item.mustache': '<li>{{.}}</li>',
          'views/failing.mustache': '{{nothing}}',
          'views/broken.mustache': '{{#open}}',
          'views/page.html': '<p>{{#bold}}{{user}}{{/bold}}</p>',
        });
        const app = express();
        app.engine('mustache', mustache('views/parts', '.mustache'));
        const html = mustache();
        app.engine('html', html).set('view engine', 'mustache');
        routes(app);
        app.get('/page', (req, res) =>
          res.render('page.html', { bold: () => (text, render) => `<b>${render(text)}</b>` }),
        );
        const cached = express();
        cached.engine('html', html).set('view engine', 'html').enable('view cache');
        cached.get('/', (req, res) => res.render('page', { bold: true, user: 'cached' }));
        app.use('/cached', cached);
        const { seen, statuses } = await tour(tools, app, ['/page?user=%3Cx%3E', '/cached', '/cached']);
        assert.deepEqual(statuses.slice(0, 5), [200, 200, 201, 200, 200]);
        assert.match(seen[1].body, /^<h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada Site & Söhne/);
        assert.equal(seen[9].body, '<p><b>&lt;x&gt;</b></p>');
        return seen;
      },
    },

    /** nunjucks: an environment that replaces the view lookup of an application. */
    nunjucks: {
      packages: ['nunjucks'],
      exercised:
        'configure({ express }), inheritance, includes, macros, filters (async too), globals, extensions, noCache, throwOnUndefined, the view engine setting, an absolute name, errors with their location',

      async run(tools) {
        const express = require('express');
        const nunjucks = require('nunjucks');
        write({
          'views/layout.njk': '<main>{% block content %}{% endblock %}</main>{{ site }}',
          'views/index.njk':
            '{% extends "layout.njk" %}{% from "macros.njk" import item %}{% block content %}<h1>{{ title }}</h1>{% for each in list %}{{ item(each) }}{% endfor %}{{ user | shout }} {{ version }} {{ 1 | later }}{% include "part.html" ignore missing %}{% endblock %}',
          'views/macros.njk': '{% macro item(text) %}<li>{{ text }}</li>{% endmacro %}',
          'views/part.html': '<i>{{ settings.env }}</i>',
          'views/failing.njk': 'one\n{{ fail() }}',
          'views/broken.njk': '{% if %}',
          'views/page.html': '<p>{{ user }}</p>',
          'strict/index.html': '{{ nothing }}',
        });
        const app = express();
        const environment = nunjucks.configure('views', { autoescape: true, express: app });
        environment.addFilter('shout', text => `${text ?? 'nobody'}!`);
        environment.addFilter(
          'later',
          (value, callback) => setImmediate(callback, null, `late ${value}`),
          true,
        );
        environment.addGlobal('version', '1.0');
        app.set('view engine', 'njk');
        routes(app);
        app.get('/page', (req, res) => res.render('page.html'));
        const strict = express();
        nunjucks.configure('strict', { throwOnUndefined: true, noCache: true, express: strict });
        strict.get('/', (req, res) => res.render('index.html'));
        app.use('/strict', strict);
        const { seen, statuses } = await tour(tools, app, ['/page?user=<x>', '/strict']);
        assert.deepEqual(statuses, [200, 200, 201, 200, 200, 500, 500, 500, 200, 200, 500]);
        assert.match(
          seen[1].body,
          /^<main><h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada! 1.0 late 1<i>(?:test|development|production)<\/i><\/main>Site &amp; Söhne/,
        );
        tools.note(app.get('view').name, app.settings.nunjucksEnv === environment);
        return seen;
      },
    },

    /** pug: the engine is found by its extension. */
    pug: {
      packages: ['pug'],
      exercised:
        'extends, blocks, includes, mixins, filters, pretty by app.locals, basedir, settings in views, the view cache and the cache of the engine, app.engine for another extension, errors with their line',
      override: true,

      async run(tools) {
        const express = require('express');
        const pug = require('pug');
        write({
          'views/layout.pug':
            'doctype html\nhtml\n  head\n    title= title\n  body\n    block content\n    footer= site + " " + settings.env',
          'views/index.pug':
            'extends layout\ninclude parts/mixins\nblock content\n  each item in list\n    +item(item)\n  b #{user} !{user}\n  include /absolute.pug',
          'views/parts/mixins.pug': 'mixin item(text)\n  li.item(data-text=text)= text',
          'absolute.pug': 'p from the base',
          'views/failing.pug': 'p= fail()',
          'views/broken.pug': 'p(',
          'views/missing-include.pug': 'include nowhere',
          'views/filter.jade': ':upper\n  text',
        });
        const app = express();
        app.set('view engine', 'pug').engine('jade', pug.__express);
        app.locals.basedir = process.cwd();
        routes(app);
        app.get('/filter', (req, res) =>
          res.render('filter.jade', { filters: { upper: text => text.toUpperCase() } }),
        );
        app.get('/include', (req, res) => res.render('missing-include'));
        const pretty = express();
        pretty.locals.pretty = true;
        pretty.locals.basedir = process.cwd();
        pretty.set('view engine', 'pug').enable('view cache');
        pretty.get('/', (req, res) => res.render('index', { title: 'pretty', list: [1] }));
        app.use('/pretty', pretty);
        const { seen, statuses } = await tour(tools, app, [
          '/filter',
          '/include',
          '/pretty',
          '/pretty?user=x',
        ]);
        assert.deepEqual(statuses, [200, 200, 201, 200, 200, 418, 500, 500, 200, 200, 500, 200, 200]);
        assert.match(
          seen[1].body,
          /<title>&lt;Title&gt;<\/title>.*data-text="b&lt;c&gt;".*<b>Ada Ada<\/b><p>from the base<\/p>/,
        );
        assert.equal(seen[9].body, 'TEXT');
        return seen;
      },
    },
  },
};
