/**
 * The shapes of requests and responses: each schema validates at run time, provides a TypeScript type, and is part of
 * the OpenAPI document.
 */
import { z } from 'zod';

export const NewUser = z.object({ email: z.email().max(200), name: z.string().min(1).max(100) }).meta({
  id: 'NewUser',
});
export const User = NewUser.extend({ id: z.int() }).meta({ id: 'User' });
export const Registration = z.object({ user: User, token: z.string() }).meta({ id: 'Registration' });

export const Kind = z.enum(['cat', 'dog', 'bird']).meta({ id: 'Kind' });
export const NewPet = z
  .object({ name: z.string().min(1).max(100), kind: Kind, born: z.iso.date().optional() })
  .meta({ id: 'NewPet' });
export const PetChange = NewPet.partial()
  .refine(change => Object.keys(change).length > 0, 'nothing to change')
  .meta({ id: 'PetChange' });
export const Pet = NewPet.extend({ id: z.int(), owner: z.int() }).meta({ id: 'Pet' });
export const PetPage = z
  .object({ items: z.array(Pet), next: z.string().optional().describe('The cursor of the next page') })
  .meta({ id: 'PetPage' });

export const PetId = z.object({ id: z.coerce.number().int().positive() });

/** Cursors are opaque to clients; they contain the id of the last pet on the previous page. */
const Cursor = z
  .base64url()
  .transform(text => Number(Buffer.from(text, 'base64url').toString()))
  .pipe(z.int());
export const cursorOf = (pet: z.infer<typeof Pet>): string =>
  Buffer.from(String(pet.id)).toString('base64url');

export const PetQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('How many pets'),
  cursor: Cursor.optional().describe('Where the page begins: `next` of the page before'),
  kind: Kind.optional(),
});

export type User = z.infer<typeof User>;
export type Pet = z.infer<typeof Pet>;
