import web from 'express';
import { z } from 'zod';
import { Feed } from './feed.ts';
import { createPictures } from './pictures.ts';

const NewTask = z.object({ title: z.string().trim().min(1) }).meta({ id: 'NewTask' });
const Task = NewTask.extend({ id: z.int(), done: z.boolean() }).meta({ id: 'Task' });
const Change = NewTask.extend({ done: z.boolean() }).partial().meta({ id: 'Change' });
const Filter = z.object({ done: z.stringbool().optional() });
const Id = z.object({ id: z.coerce.number().int() });

/** The routes below /tasks. They keep the tasks in memory, where your database would be. */
export function createTasks(uploads: string): web.Router {
  const tasks = new Map<number, z.infer<typeof Task>>();
  let lastId = 0;
  const router = web.Router();
  router.use(web.describe({ tags: ['tasks'] }));

  function find(id: number) {
    const task = tasks.get(id);
    if (!task) throw new web.HttpError(404, `There is no task ${id}`);
    return task;
  }
  router.use(createPictures(uploads, find));
  const feed = new Feed();

  // Must come before /:id, which would match it as an id.
  router.get('/events', web.describe({ hidden: true }), (req, res) => {
    const page = res.sse();
    feed.join(page);
    res.on('close', () => {
      feed.leave(page);
    });
  });

  router.get('/', web.validate({ query: Filter, response: { 200: z.array(Task) } }), (req, res) => {
    const { done } = req.query;
    res.json([...tasks.values()].filter(task => done === undefined || task.done === done));
  });

  const adds = web.describe({
    summary: 'Adds a task',
    body: { examples: { beans: { value: { title: 'Buy beans' } } } },
  });
  router.post('/', adds, web.validate({ body: NewTask, response: { 201: Task } }), (req, res) => {
    const task = { ...req.body, id: ++lastId, done: false };
    tasks.set(task.id, task);
    feed.publish('created', task);
    res.status(201).location(`${req.baseUrl}/${task.id}`).json(task);
  });

  router.get(
    '/:id',
    web.describe({ errors: [404] }),
    web.validate({ params: Id, response: { 200: Task } }),
    (req, res) => {
      res.json(find(req.params.id));
    },
  );

  router.patch(
    '/:id',
    web.describe({ errors: [404] }),
    web.validate({ params: Id, body: Change, response: { 200: Task } }),
    (req, res) => {
      const task = Object.assign(find(req.params.id), req.body);
      feed.publish('changed', task);
      res.json(task);
    },
  );

  router.delete(
    '/:id',
    web.describe({ errors: [404], responses: { 204: {} } }),
    web.validate({ params: Id }),
    (req, res) => {
      tasks.delete(find(req.params.id).id);
      feed.publish('deleted', { id: req.params.id });
      res.sendStatus(204);
    },
  );

  return router;
}
