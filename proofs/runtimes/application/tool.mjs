/** Patches functions of Node.js, as tools loaded before the application do, and notes the calls. */
import http from 'node:http';

globalThis.patchedCalls = [];

function patch(owner, name) {
  const original = owner[name];
  owner[name] = function patched(...args) {
    if (this.req?.url !== '/patched') globalThis.patchedCalls.push(name);
    return Reflect.apply(original, this, args);
  };
}

for (const name of ['writeHead', 'write', 'end', 'setHeader']) patch(http.ServerResponse.prototype, name);
