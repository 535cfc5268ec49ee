/** Prepares what exists before the framework is loaded: a tracer and, if requested, an unknown version of Node. */
'use strict';
const { subscribe } = require('node:diagnostics_channel');
const { createRequire } = require('node:module');
const path = require('node:path');

// Neither is part of the bundle: a tracer patches what is loaded from disk.
createRequire(path.resolve('index.js'))('datadog-instrumentations/src/helpers/hooks.js');
exports.traced = [];
subscribe('dd-trace:bundler:load', message => exports.traced.push(message.package));

const { PRETENDED_VERSION } = process.env;
if (PRETENDED_VERSION) Object.defineProperty(process, 'version', { value: PRETENDED_VERSION });
