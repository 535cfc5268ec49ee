/** multer 2: runs the program for multer 1. */
'use strict';

module.exports = { ...require('./multer-1.cjs'), packages: ['multer2'], override: true };
