/** The findings of the fuzzer, and their causes: fuzz.test.ts runs each again, with all assertions of its target. */

export interface Found {
  target: string;
  input: string;
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
  {
    target: 'express5-fields',
    input: 'h;=/=',
    was: 'a second = ended the value of a parameter, in a key of res.format',
  },
  { target: 'express5-fields', input: 'h /', was: 'blanks in front of a key of res.format stayed' },
  {
    target: 'express5-fields',
    input: '2n/n;arset=u;arset=',
    was: 'of two parameters with one name the last counted',
  },
  {
    target: 'express5-fields',
    input: 'n2/j;\u00a0s=',
    was: 'no-break spaces around the name of a parameter were left out',
  },
  { target: 'express5-fields', input: 'n2/jN+', was: 'a plus at the end of a media type was left out' },
  {
    target: 'express5-fields',
    input: 'n2/%;c="";0=',
    was: 'parameters whose names are numbers stayed in their places',
  },
  { target: 'express5-fields', input: 'n2_/o+.', was: 'a suffix with a dot made a media type malformed' },
  {
    target: 'form',
    input: '6%%23',
    was: 'a percent sign that begins no escape kept a form of ISO-8859-1 from being decoded',
  },
  { target: 'form', input: 'u%26%233%3B', was: 'entities in names were read' },
  {
    target: 'form',
    input: 'u&&&&&&&&&&&&&&&&&&&&&&&&&&&&&&utf8=',
    was: 'the field that names the charset was not counted',
  },
  {
    target: 'form',
    input: 'f8=%26%23%33%3B',
    was: 'an entity whose digits are escaped was not read',
  },
];
