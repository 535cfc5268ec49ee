/** Represents the hook list of Datadog's tracer, which the framework looks for. */
'use strict';
exports['path-to-regexp'] = {};
