import web, { Router } from 'ristretto';
import { z } from 'zod';
import { Feed } from './feed.js';
import { createPictures } from './pictures.js';
import { NewTask, Task, TaskId } from './schemas.js';

/** The routes below /tasks. They keep the tasks in memory, where your database would be. */
export function createTasks(uploads: string) {
  const tasks = new Map<number, Task>();
  let lastId = 0;
  const router = Router();
  router.use(createPictures(uploads, id => tasks.has(id)));
  const feed = new Feed();

  // Must come before /:id, which would match it as an id.
  router.get('/events', web.describe({ hidden: true }), (req, res) => {
    const page = res.sse();
    feed.join(page);
    res.on('close', () => {
      feed.leave(page);
    });
  });

  router.get('/', web.validate({ response: { 200: z.array(Task) } }), (req, res) => {
    res.json([...tasks.values()]);
  });

  router.post('/', web.validate({ body: NewTask, response: { 201: Task } }), (req, res) => {
    const task: Task = { id: ++lastId, title: req.body.title, done: false };
    tasks.set(task.id, task);
    feed.publish('created', task);
    res.status(201).location(`${req.baseUrl}/${task.id}`).json(task);
  });

  router.get('/:id', web.validate({ params: TaskId, response: { 200: Task } }), (req, res, next) => {
    const task = tasks.get(req.params.id);
    if (task) res.json(task);
    else next();
  });

  router.delete('/:id', web.validate({ params: TaskId }), (req, res, next) => {
    if (!tasks.delete(req.params.id)) {
      next();
      return;
    }
    feed.publish('deleted', { id: req.params.id });
    res.sendStatus(204);
  });

  return router;
}
