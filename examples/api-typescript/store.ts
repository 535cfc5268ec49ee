/** Stores users, pets and pictures in memory, with operations that any database supports. */
import { randomBytes } from 'node:crypto';
import type { Pet, User } from './schemas.js';

export interface Picture {
  type: string;
  bytes: Buffer;
}

export class Store {
  readonly pets = new Map<number, Pet>();
  readonly pictures = new Map<number, Picture>();
  readonly #users = new Map<string, User>();
  readonly #tokens = new Map<string, User>();
  #lastId = 0;

  nextId(): number {
    return ++this.#lastId;
  }

  /** @returns undefined if the address is taken */
  addUser(fields: Omit<User, 'id'>): { user: User; token: string } | undefined {
    const key = fields.email.toLowerCase();
    if (this.#users.has(key)) return undefined;
    const user = { ...fields, id: this.nextId() };
    const token = randomBytes(24).toString('base64url');
    this.#users.set(key, user);
    this.#tokens.set(token, user);
    return { user, token };
  }

  userOf(token: string): User | undefined {
    return this.#tokens.get(token);
  }

  /** Returns the pets after this id, in the order of their ids. */
  petsAfter(id: number, kind: Pet['kind'] | undefined): Pet[] {
    return [...this.pets.values()].filter(pet => pet.id > id && (kind === undefined || pet.kind === kind));
  }
}
