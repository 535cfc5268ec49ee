/** How the end of a request is determined: lengths, chunks, and messages that two parsers could read differently. */
import { RUNTIME, SMUGGLED, cases, head, post } from './case.js';
import type { Group } from './case.js';

const whole = '200 POST /p "hello"';
const length = (...values: string[]): string =>
  post(
    values.map(value => `Content-Length: ${value}`),
    'hello',
  );
const coded = (...values: string[]): string =>
  post(
    values.map(value => `Transfer-Encoding: ${value}`),
    '5\r\nhello\r\n0\r\n\r\n',
  );
const chunked = (body: string): string => post(['Transfer-Encoding: chunked'], body);

const lengths = cases('RFC 9112 6.2', [
  ['a length', length('5'), whole],
  ['leading zeros', length('005'), [whole, '400']],
  ['white space around it', length('  5  '), whole],
  ['a sign', length('+5'), '400'],
  ['a minus sign', length('-5'), '400'],
  ['an empty value', length(''), '400'],
  ['a letter after the number', length('5a'), '400'],
  ['a comma after the number', length('5,'), '400'],
  ['a semicolon after the number', length('5;'), '400'],
  ['hexadecimal', length('0x5'), '400'],
  ['a decimal point', length('5.0'), '400'],
  ['an underscore', length('5_0'), '400'],
  ['a space inside', length('5 5'), '400'],
  ['twice the same', length('5', '5'), ['400', whole]],
  ['two lengths', length('5', '4'), '400'],
  ['a list of the same', length('5, 5'), ['400', whole]],
  ['a list of two lengths', length('5, 4'), '400'],
  ['beyond 64 bits', length('18446744073709551621'), ['400', '413']],
  ['beyond 32 bits', post(['Content-Length: 4294967301'], 'hello'), ['408', '413', 'closed']],
  ['longer than the content', length('6'), ['408', 'closed']],
  [
    'shorter than the content',
    post(['Content-Length: 5'], 'helloGET'),
    [`${whole}, 408`, `${whole}, 400`, whole],
  ],
  ['none', post([], ''), ['200 POST /p', '411']],
  [
    'content in GET',
    head('GET /x HTTP/1.1', 'Host: a', 'Content-Length: 5') + 'hello',
    ['200 GET /x "hello"', '400'],
  ],
]);

const codings = cases('RFC 9112 6.1', [
  ['chunked', coded('chunked'), whole],
  ['chunked in another case', coded('CHUNKED'), whole],
  ['white space around it', coded(' chunked\t'), whole, { open: RUNTIME }],
  ['an unknown coding', coded('cup'), ['501', '400']],
  ['identity', coded('identity'), ['501', '400']],
  ['an empty value', coded(''), ['400', '501']],
  ['an unknown coding under chunked', coded('cup, chunked'), ['501', '400']],
  ['gzip under chunked, which we can’t decode', coded('gzip, chunked'), ['501', '400']],
  ['chunked is not the last', coded('chunked, gzip'), '400'],
  ['chunked twice in a list', coded('chunked, chunked'), '400'],
  ['chunked twice in lines', coded('chunked', 'chunked'), '400'],
  ['chunked and identity', coded('chunked', 'identity'), '400'],
  ['identity and chunked', coded('identity', 'chunked'), ['501', '400']],
  ['chunked with a parameter', coded('chunked;a=b'), ['400', '501']],
  ['chunked in quotation marks', coded('"chunked"'), ['400', '501']],
  ['a vertical tab before it', coded('\x0bchunked'), '400'],
  ['an empty member', coded(', chunked'), [whole, '400']],
  ['an empty member at the end', coded('chunked,'), [whole, '400']],
  ['only gzip', coded('gzip'), ['400', '501']],
  ['NUL before it', coded('\0chunked'), '400'],
  ['a name that ends with chunked', coded('x-chunked'), ['400', '501']],
  [
    'chunked content in GET',
    head('GET /x HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked') + '5\r\nhello\r\n0\r\n\r\n',
    ['200 GET /x "hello"', '400'],
  ],
  [
    'chunked in HTTP/1.0',
    head('POST /p HTTP/1.0', 'Transfer-Encoding: chunked') + '5\r\nhello\r\n0\r\n\r\n',
    '400',
  ],
]);

const chunks = cases('RFC 9112 7.1', [
  ['two chunks', chunked('2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n'), whole],
  ['no chunk but the last', chunked('0\r\n\r\n'), '200 POST /p'],
  ['a size in upper case', chunked('A\r\nhellohello\r\n0\r\n\r\n'), '200 POST /p "hellohello"'],
  ['a size in lower case', chunked('a\r\nhellohello\r\n0\r\n\r\n'), '200 POST /p "hellohello"'],
  ['zeros before the size', chunked('0005\r\nhello\r\n000\r\n\r\n'), whole],
  ['an extension', chunked('5;a=b\r\nhello\r\n0\r\n\r\n'), whole],
  ['an extension in quotation marks', chunked('5;a="b;c"\r\nhello\r\n0\r\n\r\n'), whole],
  ['an extension without a value', chunked('5;a\r\nhello\r\n0\r\n\r\n'), whole],
  ['an empty extension', chunked('5;\r\nhello\r\n0\r\n\r\n'), ['400', whole]],
  ['white space before the extension', chunked('5 ;a\r\nhello\r\n0\r\n\r\n'), ['400', whole]],
  ['LF in an extension', chunked('5;a\nb\r\nhello\r\n0\r\n\r\n'), '400'],
  [
    'an extension of 20000 bytes',
    chunked(`5;${'a'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`),
    ['413', '400', '431'],
  ],
  ['a trailer', chunked('5\r\nhello\r\n0\r\nX: b\r\n\r\n'), whole],
  [
    'a trailer that contains a framing header',
    chunked('5\r\nhello\r\n0\r\nContent-Length: 50\r\n\r\n'),
    [whole, '400'],
  ],
  [
    'a trailer without a colon',
    chunked('5\r\nhello\r\n0\r\nX\r\n\r\n'),
    ['400', '200 POST /p "hello", 400', whole],
  ],
  ['a trailer with a space before the colon', chunked('5\r\nhello\r\n0\r\nX : b\r\n\r\n'), ['400', whole]],
  [
    'a trailer of 20000 bytes',
    chunked(`5\r\nhello\r\n0\r\nX: ${'b'.repeat(20_000)}\r\n\r\n`),
    ['431', '400', whole],
  ],
  ['no size', chunked('\r\nhello\r\n0\r\n\r\n'), '400'],
  ['a size that is not a number', chunked('g\r\nhello\r\n0\r\n\r\n'), '400'],
  ['a size with a sign', chunked('+5\r\nhello\r\n0\r\n\r\n'), '400'],
  ['a negative size', chunked('-5\r\nhello\r\n0\r\n\r\n'), '400'],
  ['a size with 0x', chunked('0x5\r\nhello\r\n0\r\n\r\n'), '400'],
  ['a size with an underscore', chunked('0_5\r\nhello\r\n0\r\n\r\n'), '400'],
  ['white space before the size', chunked(' 5\r\nhello\r\n0\r\n\r\n'), '400'],
  ['white space after the size', chunked('5 \r\nhello\r\n0\r\n\r\n'), ['400', whole]],
  ['a size beyond 64 bits', chunked('10000000000000005\r\nhello\r\n0\r\n\r\n'), ['400', '413']],
  ['LF after the size', chunked('5\nhello\r\n0\r\n\r\n'), '400'],
  ['LF after the chunk', chunked('5\r\nhello\n0\r\n\r\n'), '400'],
  ['CR after the chunk', chunked('5\r\nhello\r0\r\n\r\n'), '400'],
  ['a tab after the size', chunked('5\t\r\nhello\r\n0\r\n\r\n'), ['400', whole]],
  ['CR and another character after the size', chunked('5\rX\nhello\r\n0\r\n\r\n'), '400'],
  ['a chunk that is longer than its size', chunked('4\r\nhello\r\n0\r\n\r\n'), '400'],
  ['a chunk that is shorter than its size', chunked('6\r\nhello\r\n0\r\n\r\n'), ['400', '408']],
  ['no last chunk', chunked('5\r\nhello\r\n'), ['408', 'closed']],
]);

const smuggling = cases('RFC 9112 11.2', [
  ['CL.TE', post(['Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`), '400'],
  [
    'TE.CL',
    post(['Transfer-Encoding: chunked', 'Content-Length: 4'], `5c\r\n${SMUGGLED}\r\n0\r\n\r\n`),
    '400',
  ],
  [
    'TE.TE with an unknown coding',
    post(['Transfer-Encoding: chunked', 'Transfer-Encoding: cup'], `0\r\n\r\n${SMUGGLED}`),
    ['400', '501'],
  ],
  [
    'TE.TE with a name in two cases',
    post(['Transfer-Encoding: chunked', 'transfer-encoding: identity'], `0\r\n\r\n${SMUGGLED}`),
    ['400', '501'],
  ],
  [
    'CL.TE with a space before the colon',
    post(['Content-Length: 6', 'Transfer-Encoding : chunked'], `0\r\n\r\n${SMUGGLED}`),
    '400',
  ],
  [
    'CL.TE with a space before the name',
    post(['Content-Length: 6', ' Transfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`),
    '400',
  ],
  [
    'CL.TE after LF',
    post(['Content-Length: 6', 'X: y\nTransfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`),
    '400',
  ],
  [
    'CL.TE after CR',
    post(['Content-Length: 6', 'X: y\rTransfer-Encoding: chunked'], `0\r\n\r\n${SMUGGLED}`),
    '400',
  ],
  [
    'CL.TE in HTTP/1.0',
    head('POST /p HTTP/1.0', 'Content-Length: 6', 'Transfer-Encoding: chunked') + `0\r\n\r\n${SMUGGLED}`,
    '400',
  ],
  ['CL.CL', post(['Content-Length: 5', 'Content-Length: 0'], SMUGGLED), '400'],
  [
    'CL.0: the content of GET is not a request',
    head('GET /x HTTP/1.1', 'Host: a', `Content-Length: ${SMUGGLED.length}`) + SMUGGLED,
    ['200 GET /x "GET /smuggled*', '400'],
  ],
  [
    'a name with an underscore is a different header',
    post(['Content_Length: 0', 'Content-Length: 5'], 'hello'),
    whole,
  ],
  ['chunked after a character that looks like white space', coded('\xa0chunked'), ['400', '501']],
  ['a chunk size beyond 32 bits', chunked(`100000000\r\n\r\n0\r\n\r\n${SMUGGLED}`), ['408', 'closed', '400']],
]);

export const framing: Group[] = [
  { name: 'Content-Length', cases: lengths },
  { name: 'Transfer-Encoding', cases: codings },
  { name: 'Chunks', cases: chunks },
  { name: 'Smuggling', cases: smuggling },
];
