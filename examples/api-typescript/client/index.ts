/**
 * A client of the API. Its types are generated from the OpenAPI document, so the compiler checks paths, parameters and
 * bodies.
 */
import createClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { components, paths } from './api.js';

export type Pet = components['schemas']['Pet'];
export type NewPet = components['schemas']['NewPet'];

export function connect(baseUrl: string, token?: string): Client<paths> {
  return createClient<paths>({ baseUrl, headers: token ? { Authorization: `Bearer ${token}` } : {} });
}

/** @returns a client that is authenticated as the new user */
export async function register(baseUrl: string, email: string, name: string): Promise<Client<paths>> {
  const { data, error } = await connect(baseUrl).POST('/users', { body: { email, name } });
  if (error) throw new Error(`${error.title}: ${error.detail}`);
  return connect(baseUrl, data.token);
}

/** Adds a pet with its picture. */
export async function adopt(client: Client<paths>, pet: NewPet, picture: Blob): Promise<Pet> {
  const { data, error } = await client.POST('/pets', { body: pet });
  if (error) throw new Error(`${error.title}: ${error.detail}`);
  const uploaded = await client.PUT('/pets/{id}/picture', {
    params: { path: { id: data.id } },
    headers: { 'Content-Type': picture.type },
    body: picture,
    bodySerializer: body => body as Blob,
  });
  if (uploaded.error) throw new Error(`${uploaded.error.title}: ${uploaded.error.detail}`);
  return data;
}

/** Yields all pets, fetching page after page. */
export async function* allPets(client: Client<paths>, limit = 20): AsyncGenerator<Pet> {
  let cursor: string | undefined;
  do {
    const { data, error } = await client.GET('/pets', { params: { query: { limit, cursor } } });
    if (error) throw new Error(`${error.title}: ${error.detail}`);
    yield* data.items;
    cursor = data.next;
  } while (cursor);
}
