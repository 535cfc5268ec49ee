/** What the fuzzer has found, and what was made of it: each is run again by fuzz.test.ts, with all its target asserts. */

export interface Found {
  target: string;
  input: string;
  /** What was wrong. */
  was: string;
}

export const findings: Found[] = [
  {
    target: 'accept',
    input: '0\n*/*;;q,*/*;',
    was: 'a semicolon with nothing behind it counted as a parameter, so that another element decided',
  },
  {
    target: 'request',
    input: `POST /echo\n${'t:\r\n'.repeat(9)}Content-Type: text/plain\r\nContent-Length: 1\r\n\r\na`,
    was: 'headers that Node leaves out were not looked for in a request without a version',
  },
  {
    target: 'openapi',
    input: '4a\t\n1/:d?*',
    was: 'a definition without a name was referred to and not there, and a path began without a slash',
  },
  {
    target: 'http2',
    input: ['1 5 1 :path: /none', '1 5 3 :path: /early', '1 5 5 :path: /unread']
      .map(line => `${line}|:method: GET|:scheme: http|:authority: x`)
      .join('\n')
      .concat('\n3 5 0 \0\0\0\x08'),
    was: 'a session that failed while it sent responses ended the process',
  },
];
