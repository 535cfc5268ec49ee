#!/usr/bin/env node
'use strict';

const { main } = require('../lib/cli/main');

// Here, and not in lib: webpack 4 reads every file there, and does not know this syntax.
main(process.argv.slice(2), url => import(url));
