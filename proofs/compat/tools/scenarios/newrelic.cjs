/** New Relic's agent, without its service. */
'use strict';

const assert = require('node:assert/strict');
const { register } = require('node:module');
const { pathToFileURL } = require('node:url');

/** The segments of a trace, indented by depth. */
function tree(node, depth = 0) {
  const own = depth === 0 ? [] : [`${'  '.repeat(depth - 1)}${node.segment.name}`];
  return [...own, ...node.children.flatMap(child => tree(child, depth + 1))];
}

/** Describes a transaction by its contents. */
function plain(transaction) {
  const attributes = transaction.trace.attributes.get(0xff);
  const kept = Object.entries(attributes).filter(
    ([name]) => !/port|^host$|request\.headers\.host/.test(name),
  );
  return {
    name: transaction.getFullName(),
    segments: tree(transaction.trace.segments.root),
    attributes: Object.fromEntries(kept),
    errors: transaction.exceptions.map(({ error }) => String(error?.message ?? error)),
    ignored: transaction.ignore,
  };
}

/** Starts the agent; `take` returns the transactions that have finished since the last call. */
function start() {
  Object.assign(process.env, {
    NEW_RELIC_APP_NAME: 'compat',
    NEW_RELIC_LICENSE_KEY: '0'.repeat(40),
    NEW_RELIC_HOST: '127.0.0.1',
    NEW_RELIC_PORT: '9',
    NEW_RELIC_LOG_ENABLED: 'false',
    NEW_RELIC_NO_CONFIG_FILE: 'true',
  });
  const { agent } = require('newrelic');
  // Acts as if its service had responded.
  agent.setState('started');
  let finished = [];
  agent.on('transactionFinished', transaction => finished.push(plain(transaction)));
  const take = async () => {
    // The transaction ends with the response, which the client may see first.
    await new Promise(resolve => setTimeout(resolve, 5));
    const seen = finished;
    finished = [];
    return seen;
  };
  return { take };
}

const FILES = [
  {
    places: /^\.seen\.GET \/(?:file|static\/[^.]+(?:\.txt)?)\.recorded\.0\.segments\./,
    reason: 'files are opened first and then examined by their descriptor: other `Filesystem/…` segments',
  },
];

module.exports = {
  programs: {
    /**
     * The transactions that New Relic's agent records for the application. The agent runs without its service:
     * what it would send is read from its own events.
     */
    newrelic: {
      packages: ['newrelic'],
      exercised:
        'The agent without its backend: names, segments (Route Path, Router, Mounted App, middleware, param handlers, ' +
        'view rendering), attributes and errors of the transactions of 43 requests; it rewrites the functions `use`, ' +
        '`route` and `param` of lib/router/index.js and `render` of lib/response.js while they are loaded.',
      known: FILES,
      knownOn5: FILES,
      quick: [4, 5],

      async run({ listen, request }) {
        const { take } = start();
        const express = require('express');
        const { application, drive } = require('../fixtures/application.cjs');
        const server = await listen(application(express));
        const record = await drive(server, request, take);
        const [item] = record['GET /api/acme/items/5'].recorded;
        assert.equal(item.name, 'WebTransaction/Expressjs/GET//api/:tenant/items/:item');
        assert.ok(item.segments.some(name => name.includes('Expressjs/Router: /api')));
        assert.ok(
          record['GET /admin'].recorded[0].segments.some(name => name.includes('Mounted App: /admin')),
        );
        assert.ok(
          record['GET /users/7?x=1'].recorded[0].segments.some(name => name.includes('[param handler :id]')),
        );
        assert.ok(
          record['GET /view'].recorded[0].segments.some(name => name.includes('View/hello.txt/Rendering')),
        );
        assert.deepEqual(record['GET /fail/throw'].recorded[0].errors, ['thrown']);
        return record;
      },
    },

    /** New Relic's agent in an application of ES modules: the framework is loaded with `import`. */
    'import-newrelic': {
      packages: ['newrelic'],
      exercised:
        'An application of ES modules, `import express, { Router, json } from "express"`, with the loader hook: transactions by route.',

      async run(tools) {
        register('newrelic/esm-loader.mjs', pathToFileURL(__filename));
        const { take } = start();
        const { drive } = await import('../fixtures/module.mjs');
        const record = await drive(tools, take);
        assert.equal(record['/things/5'].recorded[0].name, 'WebTransaction/Expressjs/GET//things/:id');
        return record;
      },
    },
  },
};
