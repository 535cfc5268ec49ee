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
];
