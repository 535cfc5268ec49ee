/** The main program as a CommonJS module. */
'use strict';
require('./environment.cjs');
const web = require('ristretto');
const { makeApplication } = require('./application.cjs');
const { serve } = require('../serve.cjs');

const { Router, Route, json, request, response, application } = web;
serve(makeApplication({ Router, Route, json, request, response, application }), web.stopOnSignals);
