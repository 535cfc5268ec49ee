/** hbs: Handlebars with layouts and partials. */
'use strict';

const assert = require('node:assert/strict');
const { routes, tour, write } = require('../support/views.cjs');

module.exports = {
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
};
