/** `app.locals` and `res.locals`: functions that add variables to themselves. */
import depd = require('depd');
import type { Locals } from './types/core';

const deprecate = depd('express');

/**
 * Creates locals. The deprecation notice for calling them contains the owner's name.
 * @param owner `'app'` or `'res'`
 * @example const locals = makeLocals('app'); locals({ title: 'Blog' }); locals.title; // 'Blog'
 */
export function makeLocals(owner: string): Locals {
  const locals = function locals(values: unknown): unknown {
    deprecate(`${owner}.locals(object): Use Object.assign(${owner}.locals, object) instead`);
    if (typeof values !== 'object' || values === null) return values;
    for (const [name, value] of Object.entries(values)) {
      // The own properties of a function (name, length) cannot be assigned, and __proto__ would set its prototype
      if (name !== '__proto__') Reflect.set(locals, name, value);
    }
    return values;
  };
  return locals as Locals;
}

const LOCALS: unique symbol = Symbol('locals');

/** The descriptor of `res.locals`, which is created when first read. */
export const resLocals: PropertyDescriptor & ThisType<{ [LOCALS]?: unknown }> = {
  configurable: true,
  enumerable: true,
  get() {
    return (this[LOCALS] ??= makeLocals('res'));
  },
  set(value: unknown) {
    this[LOCALS] = value;
  },
};
