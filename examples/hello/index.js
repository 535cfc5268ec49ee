/** The smallest application: one route, one response. */
'use strict';
const web = require('ristretto');

const app = web();

app.get('/', (req, res) => {
  res.send('Hello World');
});

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
