#!/usr/bin/env node
'use strict';

const { main } = require('@ristretto/private-engine/lib/cli/main');

// This is not in the engine, because webpack 4 reads every file there and does not support this syntax.
main(process.argv.slice(2), url => import(url), require('../package.json').version);
