/** A view engine that is not part of the bundle: it is found by the extension of its views. */
'use strict';
const fs = require('node:fs');

exports.__express = (file, locals, callback) => fs.readFile(file, 'utf8', callback);
