/** Requests whose client disconnects: the emitted events are noted, and can be requested afterwards. */
import web from '../../../packages/ristretto/index.js';

export function aborts() {
  const router = web.Router();
  /** @type {Record<string, string[]>} */
  const notes = {};
  const note = (id, text) => (notes[id] ??= []).push(text);
  router.get('/notes/:id', (req, res) => res.json(notes[req.params.id] ?? []));
  router.use('/:kind(pending|silent|download|body|stream)/:id', (req, _res, next) => {
    note(req.params.id, 'begun');
    next();
  });
  router.get('/pending/:id', (req, res) => {
    const { id } = req.params;
    res.on('close', () => note(id, `response closed, finished: ${res.writableFinished}`));
    res.write('begun');
  });
  router.get('/silent/:id', (req, res) => {
    const { id } = req.params;
    res.on('close', () => note(id, `response closed, finished: ${res.writableFinished}`));
  });
  router.get('/download/:id', (req, res) => {
    const { id } = req.params;
    // The executable of the runtime itself, because it is larger than any buffer.
    res.download(process.execPath, err => note(id, err ? err.code : 'sent'));
  });
  router.post('/body/:id', web.json(), (_req, res) => res.send('parsed'));
  router.use('/body/:id', (err, req, _res, _next) => note(req.params.id, err.type));
  router.post('/stream/:id', (req, _res) => {
    const { id } = req.params;
    req.on('data', () => undefined);
    req.on('aborted', () => note(id, 'aborted'));
    req.on('end', () => note(id, 'end'));
    req.on('close', () => note(id, `request closed, complete: ${req.complete}`));
    req.on('error', err => note(id, err.code));
  });
  return router;
}
