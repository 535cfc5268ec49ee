/** multer 1: uploaded files, stored in memory, on disk and in a custom storage. */
'use strict';

const { upload } = require('../support/uploads.cjs');

module.exports = {
  packages: ['multer1'],
  exercised:
    'single, array, fields, none, any; memory, disk and own storage; dest; limits; fileFilter (rejecting and failing); nested field names; errors with code and field, files removed after them; a broken and an empty form; in a router and after another parser',
  warnings: { RISTRETTO_UNPARSED_BODY: 'JSON on a route that only takes forms' },
  quick: true,
  http2: true,
  express: [4, 5],

  run(tools) {
    return upload('multer1', tools);
  },
};
