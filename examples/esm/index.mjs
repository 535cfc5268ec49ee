/** The same as an ES module: the default export is the function, and its members are named exports. */
import { pathToFileURL } from 'node:url';
import web, { json, Router } from 'ristretto';

const router = Router();
router.post('/echo', json(), (req, res) => {
  res.json(req.body);
});

export const app = web();
app.use('/api', router);
app.get('/', async (req, res) => {
  const { default: os } = await import('node:os');
  res.send(`Hello from ${os.EOL === '\n' ? 'a unix' : 'another'} machine`);
});

export default app;

// The same as `import.meta.main` in newer Node.js versions.
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
