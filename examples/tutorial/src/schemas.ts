import { z } from 'zod';

export const NewTask = z.object({ title: z.string().trim().min(1).max(200) }).meta({ id: 'NewTask' });
export const Task = z
  .object({ id: z.number().int(), title: z.string(), done: z.boolean() })
  .meta({ id: 'Task' });
export const TaskId = z.object({ id: z.coerce.number().int().positive() });
export type Task = z.infer<typeof Task>;
