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
    ...['/', '/?user=Ada', '/again?user=%3Ci%3E', '/callback', '/app', '/failing', '/broken', '/missing'],
  ];
  const seen = await visit(
    request,
    await listen(app),
    [...paths, '/', ...more].map(each => `GET ${each}`),
  );
  return { seen, statuses: statuses(seen) };
}

/** The engines: `setUp` makes one the application's and adds routes, `more` are their paths, and `page` is what `/?user=Ada` begins with. */
const table = {
  ejs: {
    exercised:
      'by extension and app.engine for html, includes, an engine function with async templates, several view directories, the view cache, errors',
    views: {
      'views/index.ejs':
        '<h1><%= title %></h1><% for (const item of list) { %><%- include("parts/item", { item }) %><% } %><%= locals.user %> <%= site %>',
      'views/parts/item.ejs': '<li><%= item %></li>',
      'views/failing.ejs': 'before <%= fail() %>',
      'views/broken.ejs': '<% if (',
      'more/other.ejs': '<p><?= await title ?></p>',
      'more/page.html': '<html><%= locals.user %></html>',
    },
    setUp(app, express) {
      const ejs = require('ejs');
      app.set('view engine', 'ejs').set('views', ['views', 'more']).engine('html', ejs.renderFile);
      app.get('/html', (req, res) => res.render('page.html'));
      const other = express().set('views', 'more').set('view engine', 'ejs').enable('view cache');
      other.engine('ejs', (file, locals, callback) =>
        ejs
          .renderFile(file, locals, { delimiter: '?', async: true })
          .then(html => callback(null, html), callback),
      );
      other.get('/', (req, res) => res.render('other', { title: Promise.resolve('async') }));
      app.use('/other', other);
      return () => [Object.keys(app.cache), Object.keys(other.cache)];
    },
    more: ['/html?user=<b>', '/other', '/other'],
    statuses: [200, 200, 201, 200, 200, 418, 500, 500, 200, 200, 200, 200],
    page: /^<h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada Site &amp; Söhne/,
  },

  eta: {
    exercised:
      'an engine function around render and renderAsync, layouts, includes, its cache beside the view cache, app.set("view") replaced by hand, errors',
    views: {
      'views/layout.eta': '<main><%~ it.body %></main>',
      'views/index.eta':
        '<% layout("./layout") %><h1><%= it.title %></h1><% it.list.forEach(item => { %><%~ include("./item", { item }) %><% }) %><%= it.user %> <%= it.site %>',
      'views/item.eta': '<li><%= it.item %></li>',
      'views/failing.eta': '<%= it.fail() %>',
      'views/broken.eta': '<% if ( %>',
      'views/async.eta': '<%= await it.wait() %>',
    },
    setUp(app, express, note) {
      const { Eta } = require('eta');
      const eta = new Eta({ views: path.resolve('views'), cache: true });
      app.engine('eta', (file, locals, callback) => {
        note('options', path.basename(file), Object.keys(locals).sort(), locals.cache);
        const name = `./${path.basename(file, '.eta')}`;
        if (locals.wait) return eta.renderAsync(name, locals).then(text => callback(null, text), callback);
        callback(null, eta.render(name, locals));
      });
      app.set('view engine', 'eta').enable('view cache');
      app.get('/async', (req, res) =>
        res.render('async', { wait: async () => `waited for ${req.query.user}` }),
      );
      app.get('/rejected', (req, res) =>
        res.render('async', { wait: () => Promise.reject(new Error('no')) }),
      );
      const direct = express();
      direct.set('view', function View(name) {
        this.path = name;
        this.render = (locals, callback) => callback(null, eta.renderString('<%= it.x %> by hand', locals));
      });
      direct.get('/', (req, res) => res.render('any', { x: 'view' }));
      app.use('/direct', direct);
    },
    more: ['/async?user=Ada', '/rejected', '/direct'],
    statuses: [200, 200, 201, 200, 200, 418, 500, 500, 200, 200, 500, 200],
    page: /^<main><h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada Site &amp; Söhne<\/main>/,
  },

  'express-handlebars': {
    exercised:
      'engine() and create(), layouts, partials in several directories, helpers, of one view too, cached and uncached, errors',
    views: {
      'views/index.hbs': '<h1>{{title}}</h1>{{#each list}}{{> item}}{{/each}}{{> shared/user}}{{shout site}}',
      'views/failing.hbs': '{{fail}}',
      'views/broken.hbs': '{{#if}',
      'views/layouts/main.hbs': '<main>{{{body}}}</main><i>{{base settings.views}} {{cache}}</i>',
      'views/layouts/other.hbs': '<other>{{{body}}}</other>',
      'views/partials/item.hbs': '<li>{{this}}</li>',
      'parts/user.hbs': '<b>{{user}}</b>',
      'plain/index.handlebars': 'plain {{title}} {{user}}',
    },
    setUp(app, express) {
      const { create, engine } = require('express-handlebars');
      const helpers = { shout: text => `${text}!`, base: folder => path.basename(folder) };
      const partialsDir = ['views/partials', { dir: 'parts', namespace: 'shared' }];
      app.engine('hbs', create({ extname: '.hbs', helpers, partialsDir }).engine);
      app.set('view engine', 'hbs').enable('view cache');
      const view = more => (req, res) => res.render('index', { title: 't', list: [1], ...more });
      app.get('/other', view({ layout: 'other', helpers: { shout: text => `¡${text}!` } }));
      app.get('/none', view({ layout: false }));
      const partials = { item: () => 'partial', 'shared/user': () => '' };
      app.get('/partials', view({ partials: Promise.resolve(partials) }));
      const plain = express().engine('handlebars', engine({ defaultLayout: false }));
      plain.set('views', 'plain').set('view engine', 'handlebars');
      plain.get('/', (req, res) => res.render('index', { title: 'mounted' }));
      app.use('/plain', plain);
    },
    more: ['/other', '/none', '/partials', '/plain?user=x'],
    statuses: [200, 200, 201, 200, 200, 418, 500, 500, 200, 200, 200, 200, 200],
    page: /^<main><h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li><b>Ada<\/b>Site &amp; Söhne!/,
  },

  hbs: {
    exercised:
      'layouts, registerPartials, helpers, async too, localsAsTemplateData, view options, create() with app.engine, the view cache, errors',
    views: {
      'views/layout.hbs': '<main>{{{body}}}</main>',
      'views/other.hbs': '<other>{{{body}}}</other>',
      'views/index.hbs':
        '<h1>{{title}}</h1>{{#each list}}{{> item text=this}}{{/each}}{{user}} {{shout site}} {{@site}} {{later "x"}}',
      'views/parts/item.hbs': '<li>{{text}}</li>',
      'views/failing.hbs': '{{fail}}',
      'views/broken.hbs': '{{#if}',
      'own/index.html': '<p>{{title}} {{twice title}}</p>',
    },
    async setUp(app, express) {
      const hbs = require('hbs');
      app.set('view engine', 'hbs');
      hbs.registerHelper('shout', text => `${text}!`);
      hbs.registerAsyncHelper('later', (text, ...rest) => setImmediate(rest.at(-1), `late ${text}`));
      await new Promise(resolve => hbs.registerPartials('views/parts', resolve));
      hbs.localsAsTemplateData(app);
      const view = locals => (req, res) => res.render('index', { title: 't', list: [], ...locals });
      for (const layout of ['other', false, 'lost']) app.get(`/${layout}`, view({ layout }));
      const instance = hbs.create();
      instance.registerHelper('twice', text => `${text}${text}`);
      const own = express().set('views', 'own').set('view engine', 'html').enable('view cache');
      own.set('view options', { layout: false }).engine('html', instance.__express);
      own.get('/', (req, res) => res.render('index', { title: 'own' }));
      app.use('/own', own);
    },
    more: ['/other', '/false', '/lost', '/own', '/own'],
    page: /^<main><h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada Site &amp; Söhne! Site &amp; Söhne late x<\/main>/,
  },

  'mustache-express': {
    exercised:
      'partials, sections, lambdas, escaping, its cache beside the view cache, several extensions, a broken template',
    views: {
      'views/index.mustache':
        '<h1>{{title}}</h1>{{#list}}{{> item}}{{/list}}{{^nothing}}{{user}}{{/nothing}} {{{site}}}',
      'views/parts/item.mustache': '<li>{{.}}</li>',
      'views/failing.mustache': '{{nothing}}',
      'views/broken.mustache': '{{#open}}',
      'views/page.html': '<p>{{#bold}}{{user}}{{/bold}}</p>',
    },
    setUp(app, express) {
      const mustache = require('mustache-express');
      const html = mustache();
      app.engine('mustache', mustache('views/parts', '.mustache')).engine('html', html);
      app.set('view engine', 'mustache');
      const bold = () => (text, render) => `<b>${render(text)}</b>`;
      app.get('/page', (req, res) => res.render('page.html', { bold }));
      const cached = express().engine('html', html).set('view engine', 'html').enable('view cache');
      cached.get('/', (req, res) => res.render('page', { bold: true, user: 'cached' }));
      app.use('/cached', cached);
    },
    more: ['/page?user=%3Cx%3E', '/cached', '/cached'],
    page: /^<h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada Site & Söhne/,
  },

  nunjucks: {
    exercised:
      'configure({ express }), inheritance, includes, macros, filters, async too, globals, noCache, throwOnUndefined, errors with their location',
    views: {
      'views/layout.njk': '<main>{% block content %}{% endblock %}</main>{{ site }}',
      'views/index.njk':
        '{% extends "layout.njk" %}{% from "macros.njk" import item %}{% block content %}<h1>{{ title }}</h1>{% for each in list %}{{ item(each) }}{% endfor %}{{ user | shout }} {{ version }} {{ 1 | later }}{% endblock %}',
      'views/macros.njk': '{% macro item(text) %}<li>{{ text }}</li>{% endmacro %}',
      'views/failing.njk': 'one\n{{ fail() }}',
      'views/broken.njk': '{% if %}',
      'views/page.html': '<p>{{ user }}</p>',
      'strict/index.html': '{{ nothing }}',
    },
    setUp(app, express) {
      const nunjucks = require('nunjucks');
      const environment = nunjucks.configure('views', { autoescape: true, express: app });
      environment.addFilter('shout', text => `${text ?? 'nobody'}!`);
      environment.addFilter('later', (value, done) => setImmediate(done, null, `late ${value}`), true);
      environment.addGlobal('version', '1.0');
      app.set('view engine', 'njk');
      app.get('/page', (req, res) => res.render('page.html'));
      const strict = express();
      nunjucks.configure('strict', { throwOnUndefined: true, noCache: true, express: strict });
      strict.get('/', (req, res) => res.render('index.html'));
      app.use('/strict', strict);
      return () => [app.get('view').name, app.settings.nunjucksEnv === environment];
    },
    more: ['/page?user=<x>', '/strict'],
    statuses: [200, 200, 201, 200, 200, 500, 500, 500, 200, 200, 500],
    page: /^<main><h1>&lt;Title&gt;<\/h1><li>a<\/li><li>b&lt;c&gt;<\/li>Ada! 1.0 late 1<\/main>Site &amp; Söhne/,
  },

  pug: {
    exercised:
      'extends, blocks, includes, mixins, filters, pretty and basedir by app.locals, the view cache, app.engine for another extension, errors',
    override: true,
    views: {
      'views/layout.pug':
        'doctype html\nhtml\n  head\n    title= title\n  body\n    block content\n    footer= site + " " + settings.env',
      'views/index.pug':
        'extends layout\ninclude parts/mixins\nblock content\n  each item in list\n    +item(item)\n  b #{user} !{user}\n  include /absolute.pug',
      'views/parts/mixins.pug': 'mixin item(text)\n  li.item(data-text=text)= text',
      'absolute.pug': 'p from the base',
      'views/failing.pug': 'p= fail()',
      'views/broken.pug': 'p(',
      'views/include.pug': 'include nowhere',
      'views/filter.jade': ':upper\n  text',
    },
    setUp(app, express) {
      app.set('view engine', 'pug').engine('jade', require('pug').__express);
      app.locals.basedir = process.cwd();
      const filters = { upper: text => text.toUpperCase() };
      app.get('/filter', (req, res) => res.render('filter.jade', { filters }));
      app.get('/include', (req, res) => res.render('include'));
      const pretty = express().set('view engine', 'pug').enable('view cache');
      Object.assign(pretty.locals, { pretty: true, basedir: process.cwd() });
      pretty.get('/', (req, res) => res.render('index', { title: 'pretty', list: [1] }));
      app.use('/pretty', pretty);
    },
    more: ['/filter', '/include', '/pretty', '/pretty?user=x'],
    statuses: [200, 200, 201, 200, 200, 418, 500, 500, 200, 200, 500, 200, 200],
    page: /<title>&lt;Title&gt;<\/title>.*data-text="b&lt;c&gt;".*<b>Ada Ada<\/b><p>from the base<\/p>/,
  },
};

/** Returns the scenario of an engine. */
function scenario([name, { views, setUp, more, statuses: expected, page, ...head }]) {
  const run = async tools => {
    const express = require('express');
    write(views);
    const app = express();
    routes(app);
    const conclude = await setUp(app, express, tools.note);
    const { seen, statuses } = await tour(tools, app, more);
    assert.deepEqual(statuses.slice(0, 5), [200, 200, 201, 200, 200]);
    if (expected) assert.deepEqual(statuses, expected);
    assert.match(seen[1].body, page);
    return { seen, concluded: conclude?.() };
  };
  return [name, { packages: [name], ...head, run }];
}

module.exports = { programs: Object.fromEntries(Object.entries(table).map(scenario)) };
