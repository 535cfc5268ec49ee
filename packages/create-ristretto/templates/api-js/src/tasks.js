import web from 'ristretto';
import { z } from 'zod';

const NewTask = z.object({ title: z.string().trim().min(1) }).meta({ id: 'NewTask' });
const Task = NewTask.extend({ id: z.int(), done: z.boolean() }).meta({ id: 'Task' });
const Id = z.object({ id: z.coerce.number().int() });

/** The routes below /tasks. They keep the tasks in memory, where your database would be. */
export function createTasks() {
  const tasks = new Map();
  let lastId = 0;
  const router = web.Router();
  router.use(web.describe({ tags: ['tasks'] }));

  function find(id) {
    const task = tasks.get(id);
    if (!task) throw new web.HttpError(404, `There is no task ${id}`);
    return task;
  }

  router.get('/', web.validate({ response: { 200: z.array(Task) } }), (req, res) => {
    res.json([...tasks.values()]);
  });

  router.post('/', web.validate({ body: NewTask, response: { 201: Task } }), (req, res) => {
    const task = { ...req.body, id: ++lastId, done: false };
    tasks.set(task.id, task);
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

  router.delete(
    '/:id',
    web.describe({ errors: [404], responses: { 204: {} } }),
    web.validate({ params: Id }),
    (req, res) => {
      tasks.delete(find(req.params.id).id);
      res.sendStatus(204);
    },
  );

  return router;
}
