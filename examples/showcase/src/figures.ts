/** Figures on the front page. They come from proofs/bench/results, and a test compares them with those files. */

export const figures = [
  {
    value: '2.9',
    unit: ' ×',
    text: 'the requests of Express 4 per second of processor time (JSON, Node 24)',
  },
  { value: '0', unit: ' lost', text: 'of 440,760 requests in 47 restarts under load' },
  { value: '124', unit: ' programs', text: 'with 191 packages behave as on Express' },
];
