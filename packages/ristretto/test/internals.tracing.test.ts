// runs: slow, each
/** The functions for tracers that compile the paths of a layer to find the one that matched. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { internal } from '../../engine/test/support/internals.js';

/**
 * Runs a program with a substitute for Datadog's tracer: its list of packages, and a subscriber that records messages.
 */
function withTracer(packages: string[] | undefined, program: string): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-tracer-'));
  const folder = path.join(home, 'datadog-instrumentations/src/helpers');
  const list = path.join(folder, 'hooks.js');
  const tracer = `
    const messages = [];
    const { subscribe } = require('node:diagnostics_channel');
    subscribe('dd-trace:bundler:load', message => messages.push(message));
    ${packages ? `require(${JSON.stringify(list)});` : ''}
    require('ristretto');`;
  try {
    fs.mkdirSync(folder, { recursive: true });
    const names = Object.fromEntries((packages ?? []).map(name => [name, 1]));
    fs.writeFileSync(list, `module.exports = ${JSON.stringify(names)};`);
    return execFileSync(process.execPath, ['-e', `${tracer}\n${program}`], {
      cwd: __dirname,
      encoding: 'utf8',
    });
  } finally {
    fs.rmSync(home, { recursive: true });
  }
}

const count = 'console.log(messages.length);';

describe('internals: tracing', () => {
  test('path-to-regexp: a supported tracer receives one function for paths when the framework is loaded', () => {
    const output = withTracer(
      ['express', 'path-to-regexp'],
      `const [{ module, ...rest }] = messages;
      console.log(JSON.stringify([messages.length, rest, typeof module]));`,
    );
    const rest = { package: 'path-to-regexp', path: 'path-to-regexp', version: '0.1.13' };
    assert.deepEqual(JSON.parse(output), [1, rest, 'function']);
  });
  test('path-to-regexp: the function creates the expressions of Express, which a tracer then tests', () => {
    const cases = {
      '/user/:id': '/user/7',
      '/:a-:b': '/x-y',
      '/x*': '/xyz',
      '/a(': '',
      '/user': '/users',
      '': '/',
    };
    const output = withTracer(
      ['path-to-regexp'],
      `const compile = path => {
        try {
          const expression = messages[0].module(path);
          return [expression instanceof RegExp, String(expression), expression.test(${JSON.stringify(cases)}[path])];
        } catch (error) {
          return error.name;
        }
      };
      console.log(JSON.stringify(${JSON.stringify(Object.keys(cases))}.map(compile)));`,
    );
    const compile = require(require.resolve('path-to-regexp', { paths: [require.resolve('express')] })) as (
      path: string,
    ) => RegExp;
    const expected = Object.entries(cases).map(([pattern, text]) => {
      try {
        const expression = compile(pattern);
        return [true, String(expression), expression.test(text)];
      } catch (error) {
        return (error as Error).name;
      }
    });
    assert.deepEqual(JSON.parse(output), expected);
  });
  test('path-to-regexp: testing its expressions takes linear time', () => {
    const output = withTracer(
      ['path-to-regexp'],
      `const begin = process.cpuUsage();
      const matched = messages[0].module('/*a*b*c*d*e').test('/' + 'abcd'.repeat(2000));
      console.log(matched, process.cpuUsage(begin).user < 2e6);`,
    );
    assert.equal(output, 'false true\n');
  });
  test('path-to-regexp: the function does not modify a regular expression passed to it', () => {
    const output = withTracer(
      ['path-to-regexp'],
      `const given = /^\\/x/i;
      const made = messages[0].module(given);
      console.log(String(made), made.test('/X'), made === given, Object.hasOwn(given, 'test'));`,
    );
    assert.equal(output, '/^\\/x/i true false false\n');
  });
  test('path-to-regexp: an earlier tracer, which fails on unknown packages, receives nothing', () => {
    assert.equal(withTracer(['express'], count), '0\n');
  });
  test('path-to-regexp: other subscribers of the channel receive nothing', () => {
    assert.equal(withTracer(undefined, count), '0\n');
  });
  test('path-to-regexp: nothing is reported without a tracer', () => {
    const { reportPathCompiler } = internal('ristretto', 'lib/router/tracing') as {
      reportPathCompiler(): void;
    };
    assert.doesNotThrow(reportPathCompiler);
  });
});
