/** The shapes of form and JSON input, for pages and API alike. */
import { z } from 'zod';

/** PostgreSQL cannot store NUL in text. Forms send two characters for a line break, which count as one in their fields. */
const text = z
  .string()
  .refine(value => !value.includes('\0'), 'must not contain NUL')
  .overwrite(value => value.replaceAll('\r\n', '\n'));

export const Id = z.object({
  id: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1),
});

export const Credentials = z.object({
  name: z
    .string()
    .trim()
    .normalize('NFKC')
    .max(30, 'may have up to 30 characters')
    .regex(
      /^[\p{L}\p{N}](?: ?[\p{L}\p{N}_.-])+$/u,
      'must be at least 2 letters, digits, dots, dashes, or single spaces between them',
    ),
  password: z.string().min(10, 'must have at least 10 characters').max(200, 'may have up to 200 characters'),
});

export const NewPassword = z.object({ old: z.string(), password: Credentials.shape.password });

export const NewPost = z.object({
  text: text.trim().min(1, 'must not be empty').max(500, 'may have up to 500 characters'),
  /** The post to reply to. */
  parent: Id.shape.id.optional(),
});

export const Edit = NewPost.pick({ text: true });

/** Identifies one attempt to post, however often it is sent. */
const key = z.string().regex(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 printable characters');
export const Attempt = z.object({ 'idempotency-key': key.optional() });

/** The form also has a description of the picture. */
export const PostForm = NewPost.extend({
  alt: text.trim().max(200, 'may have up to 200 characters').default(''),
  key: key.optional(),
});

/** A post that could not be added yet, perhaps because it is too long. Anything that is not one is an empty one. */
export const Draft = z
  .object({ text: z.string().max(4096).catch(''), parent: Id.shape.id.optional().catch(undefined) })
  .catch({ text: '' });
export type Draft = z.infer<typeof Draft>;

/** Search and cursor. An invalid query shows the first page instead of an error. */
export const Listing = z.object({
  q: text.trim().max(100).catch('').default(''),
  before: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .optional()
    .catch(undefined),
});

/** Describes the first mistake, for people. */
export const complaint = ({ issues: [first] }: z.ZodError) =>
  first ? `The ${first.path.join('.')} ${first.message}.` : 'That was not understood.';
