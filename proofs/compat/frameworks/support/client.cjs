/** Shared by the scenarios of this group: a client that keeps the comparable parts of a response. */
'use strict';

/**
 * Creates a client for one server: `await see('GET /path', { json })`.
 * @param {Function} request the harness's own
 * @param {object | number} server a listening server, or its port
 * @param {string[]} [ignored] lower-case names of headers that differ between runs
 */
function client(request, server, ignored = []) {
  return async (line, options = {}) => {
    const [method, path] = line.split(' ');
    const headers = { ...options.headers };
    let { body } = options;
    if (options.json !== undefined) {
      body = JSON.stringify(options.json);
      headers['Content-Type'] = 'application/json';
    }
    if (options.form !== undefined) {
      body = new URLSearchParams(options.form).toString();
      headers['Content-Type'] = 'application/x-www-form-urlencoded';
    }
    const answer = await request(server, { method, path, headers, body });
    return { status: answer.status, headers: lines(answer.rawHeaders, ignored), body: answer.body };
  };
}

/** Returns headers as lines, in the order received. */
function lines(rawHeaders, ignored) {
  const all = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!ignored.includes(rawHeaders[i].toLowerCase())) all.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  }
  return all;
}

/** Returns the value of a header in a result of `see`. */
function field(answer, name) {
  const line = answer.headers.find(each => each.toLowerCase().startsWith(`${name.toLowerCase()}: `));
  return line?.slice(name.length + 2);
}

/** Returns a response without the parts that differ between runs: all text that matches, and the entity tag. */
function without(answer, pattern) {
  const headers = answer.headers.filter(line => !/^etag: /i.test(line));
  return JSON.parse(JSON.stringify({ ...answer, headers }).replace(pattern, '<random>'));
}

/** Returns the body of a form with files: `multipart([{ name, value }, { name, filename, type, value }])`. */
function multipart(parts) {
  const boundary = '----------------------------compatibility';
  const written = parts.map(({ name, filename, type, value }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: ${type}`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: `${written.join('')}--${boundary}--\r\n`,
  };
}

module.exports = { client, field, multipart, without };
