/** The smallest application: one route, one response. */
'use strict';
const web = require('ristretto');

const app = web();

app.get('/', (req, res) => {
  res.send('Hello World');
});

module.exports = app;
if (require.main === module) app.listen(3000, () => console.log('http://localhost:3000'));
