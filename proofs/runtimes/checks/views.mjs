/** Views. */
export default [
  {
    name: 'renders a template that its engine compiles, with an included one',
    ask: ({ get }) => get('/views/compiled'),
    expected: { status: 200, body: '<h1>&lt;views&gt;</h1>\n<p>of Ristretto</p>\n' },
  },
  {
    name: 'renders with locals of the application, of the response and of the call',
    ask: ({ get }) => get('/views/filled'),
    expected: { status: 200, body: 'filled by locals of Ristretto' },
  },
  {
    name: 'renders without a response',
    ask: ({ get }) => get('/views/callback'),
    expected: { body: 'called by back of Ristretto' },
  },
  {
    name: 'responds 500 where there is no template, and says which',
    ask: async ({ get }) => {
      const { status, body } = await get('/views/missing');
      return { status, says: body.includes('Failed to lookup view &quot;none.txt&quot;') };
    },
    expected: { status: 500, says: true },
  },
];
