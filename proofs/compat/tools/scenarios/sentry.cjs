/** Sentry's Node SDK: what it reports about the application, for each of its majors. */
'use strict';

const assert = require('node:assert/strict');
const { application, drive } = require('../fixtures/application.cjs');

/** The items of an envelope: lines of JSON, each after a line of its header. */
function items({ body }) {
  const lines = body.toString().split('\n').filter(Boolean);
  const found = [];
  for (let index = 1; index + 1 < lines.length; index += 2) {
    found.push({ type: JSON.parse(lines[index]).type, payload: JSON.parse(lines[index + 1]) });
  }
  return found;
}

/** Fields of a span that are not ids, times, ports or agents. */
function data(fields = {}) {
  const kept = Object.entries(fields).filter(([name]) => !/port|sample_rate|user_agent|scheme$/.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, text(value)]));
}

/** Text without the port of this run. */
function text(value) {
  return typeof value === 'string' ? value.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>') : value;
}

/** Describes a reported error: its type, where in the application it came from, and the facts about the request. */
function plainError(payload) {
  return {
    exceptions: payload.exception.values.map(({ type, value, mechanism, stacktrace }) => ({
      type,
      value,
      mechanism,
      functions: (stacktrace?.frames ?? [])
        .filter(({ filename = '' }) => filename.endsWith('fixtures/application.cjs'))
        .map(frame => [frame.function, frame.lineno]),
    })),
    transaction: payload.transaction,
    request: payload.request && { ...payload.request, headers: undefined, url: text(payload.request.url) },
    level: payload.level,
    tags: payload.tags,
  };
}

/** A transaction and its spans, by their names. */
function plainTransaction(payload) {
  const { op, data: fields, status, origin } = payload.contexts.trace;
  return {
    name: payload.transaction,
    source: payload.transaction_info,
    op,
    status,
    origin,
    data: data(fields),
    spans: payload.spans.map(span => ({
      description: span.description,
      op: span.op,
      origin: span.origin,
      status: span.status,
      data: data(span.data),
    })),
  };
}

/** Starts the package that `load` returns; `take` returns what it has reported since the last call. */
async function startSentry(load, { note, collector }) {
  const reports = await collector();
  const Sentry = await load();
  for (const level of ['log', 'warn', 'error']) {
    const original = console[level];
    console[level] = (...args) => {
      if (String(args[0]).includes('[Sentry]')) note(level, String(args[0]));
      original(...args);
    };
  }
  Sentry.init({
    dsn: `http://key@127.0.0.1:${reports.port}/1`,
    tracesSampleRate: 1,
    environment: 'compat',
    release: '1',
    // Sends transactions with their spans, as up to version 10, instead of single spans.
    traceLifecycle: 'static',
  });
  const take = async () => {
    // The transaction ends with the response, which the client may see first.
    await new Promise(resolve => setTimeout(resolve, 10));
    await Sentry.flush(2000);
    const found = (await reports.take(() => true)).flatMap(items);
    return {
      errors: found.filter(({ type }) => type === 'event').map(({ payload }) => plainError(payload)),
      transactions: found
        .filter(({ type }) => type === 'transaction')
        .map(({ payload }) => plainTransaction(payload)),
    };
  };
  return { Sentry, take };
}

/** Runs the application with the package of a scenario. */
async function watch(itemRoute, harness) {
  const {
    listen,
    packages: [name],
    request,
  } = harness;
  const { Sentry, take } = await startSentry(() => require(name), harness);
  const express = require('express');
  const app = application(express, { after: it => Sentry.setupExpressErrorHandler(it) });
  const server = await listen(app);
  const record = await drive(server, request, take);
  const at = title => record[title].recorded;
  const [item] = at('GET /api/acme/items/5').transactions;
  assert.equal(item.name, `GET ${itemRoute}`);
  assert.equal(item.source.source, 'route');
  assert.ok(item.spans.some(span => span.op.startsWith('middleware') && span.description === 'inItems'));
  assert.deepEqual(
    at('GET /fail/throw').errors.map(error => [error.transaction, error.exceptions[0].value]),
    [['GET /fail/throw', 'thrown']],
  );
  assert.ok(at('GET /fail/throw').errors[0].exceptions[0].functions.some(([called]) => called === 'thrower'));
  assert.equal(at('GET /fail/next').errors.length, 0);
  await Sentry.close(1000);
  return record;
}

/** Version 10 of Sentry's Node SDK: errors and transactions of the application. */
const sentry = {
  packages: ['@sentry/node'],
  exercised:
    'setupExpressErrorHandler (which errors are reported, with stack, request and transaction), transactions of 43 ' +
    'requests named by route, their middleware and handler spans; log output about the instrumentation.',
  quick: true,

  async run(harness) {
    return watch('/api/:tenant/items/:item', harness);
  },
};

module.exports = {
  programs: {
    /** Sentry in an application of ES modules: the framework is loaded with `import`. */
    'import-sentry': {
      packages: ['@sentry/node'],
      exercised:
        'An application of ES modules, `import express, { Router, json } from "express"`, with the loader hook that it registers when it is imported: ' +
        'transactions and errors by route.',

      async run(harness) {
        const { Sentry, take } = await startSentry(() => import('@sentry/node'), harness);
        const { application, drive } = await import('../fixtures/module.mjs');
        const app = application();
        Sentry.setupExpressErrorHandler(app);
        const record = await drive(harness, take, app);
        assert.equal(record['/things/5'].recorded.transactions[0].name, 'GET /things/:id');
        await Sentry.close(1000);
        return record;
      },
    },

    'sentry-10': sentry,

    'sentry-11': { ...sentry, packages: ['sentry11'], quick: [5] },

    'sentry-8': {
      ...sentry,
      packages: ['sentry8'],
      quick: [],
      express: [4],
      // It ignores a router inside a router.
      run: harness => watch('/api/:item', harness),
    },
  },
};
