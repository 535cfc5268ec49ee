/** The layer of a router or route, under the name at which tools look for it. */
import { Layer } from '@ristretto/private-engine/lib/router';

/** Characters of a function that this file does not contain, but that a tool has put here. */
const REWRITTEN = 200;

const { handle_request } = Layer.prototype;

// Tracers such as Sentry's rewrite this file as it is loaded: they look for this assignment, and add their calls to the
// function.
Layer.prototype.handle_request = function handle(req, res, next) {
  return handle_request.call(this, req, res, next);
};

// Without a tracer, the function would only be one more call for each layer of a request.
if (String(Layer.prototype.handle_request).length < REWRITTEN)
  Layer.prototype.handle_request = handle_request;

export = Layer;
