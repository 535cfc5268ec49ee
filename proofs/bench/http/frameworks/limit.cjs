/**
 * The limit: a server that takes complete heads from Node's own parser, makes two objects, and writes in one
 * `socket.write` the bytes that Ristretto sends in this scenario.
 */
const http = require('node:http');
const net = require('node:net');

/** The callback of Node's parser that gets complete heads. */
const ON_HEADERS_COMPLETE = 2;

class Request {
  constructor(socket, url, rawHeaders) {
    this.socket = socket;
    this.url = url;
    this.rawHeaders = rawHeaders;
    this.method = 'GET';
    this.params = undefined;
    this.res = undefined;
  }
}

class Response {
  constructor(req, socket) {
    this.req = req;
    this.socket = socket;
    this.statusCode = 200;
    this.finished = false;
  }

  send(text) {
    this.finished = true;
    this.socket.write(text, 'latin1');
  }
}

/** Returns the bytes with which a server responds, without the value of `Date`. */
function respondedBy(server, path) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(server.address().port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('error', reject);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    socket.on('data', chunk => {
      text += chunk;
      const [, head, length] = /^([^]*?\r\n\r\n)/.exec(text)
        ? [0, RegExp.$1, /content-length: (\d+)/i.exec(text)?.[1] ?? 0]
        : [];
      if (head === undefined || text.length < head.length + Number(length)) return;
      socket.destroy();
      resolve(text.split(/(?<=\r\nDate: )[^\r]*/));
    });
  });
}

/**
 * @param build starts a server of Ristretto with the scenario
 * @param isAwaited whether it responds in the next turn of the event loop
 */
module.exports = async function limit(build, path, isAwaited) {
  const server = await build();
  if (!server.listening) await new Promise(resolve => server.once('listening', resolve));
  const [before, after] = await respondedBy(server, path);
  server.close();
  let date = '';
  const setDate = () => {
    date = new Date().toUTCString();
  };
  setDate();
  setInterval(setDate, 1000).unref();
  return http
    .createServer()
    .on('connection', socket => {
      socket.parser[ON_HEADERS_COMPLETE] = (major, minor, headers, method, url) => {
        const req = new Request(socket, url, headers);
        const res = new Response(req, socket);
        req.res = res;
        if (isAwaited) setImmediate(() => res.send(before + date + after));
        else res.send(before + date + after);
        return 0;
      };
    })
    .listen(0);
};
