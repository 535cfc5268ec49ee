import web = require('./lib/express.js');
export = web;
