import { Router } from 'ristretto';

/** The routes below /tasks. They keep the tasks in memory, where your database would be. */
export function createTasks() {
  const tasks = new Map();
  let lastId = 0;
  const router = Router();

  router.get('/', (req, res) => {
    res.json([...tasks.values()]);
  });

  router.post('/', (req, res) => {
    const { title } = req.body;
    if (typeof title !== 'string' || title.trim() === '') {
      res.status(400).json({ error: 'title must be a non-empty string' });
      return;
    }
    const task = { id: ++lastId, title, done: false };
    tasks.set(task.id, task);
    res.status(201).location(`${req.baseUrl}/${task.id}`).json(task);
  });

  router.get('/:id', (req, res, next) => {
    const task = tasks.get(Number(req.params.id));
    if (task) res.json(task);
    else next();
  });

  router.delete('/:id', (req, res, next) => {
    if (tasks.delete(Number(req.params.id))) res.sendStatus(204);
    else next();
  });

  return router;
}
