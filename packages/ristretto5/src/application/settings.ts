/** `app.set`, with the settings that only 5.x has. */
import { set as setShared } from '@ristretto/private-engine/lib/application';
import { setQueryWritable } from '../request/query';
import { asBase } from './internals';
import type { Application } from './internals';

/**
 * Sets a setting, or returns it if called with the name alone.
 *
 * @param name any string; certain names configure the framework
 * @param value the new value
 * @returns the application for chaining, or the value; undefined if it is set neither here nor on a parent
 * @throws TypeError if the value is not valid for the setting
 * @example app.set('trust proxy', 'loopback').set('title', 'My site');
 */
export function set(this: Application, name: string, value?: unknown): unknown {
  if (arguments.length === 1) return setShared.call(asBase(this), name);
  setShared.call(asBase(this), name, value);
  if (name === 'query writable') setQueryWritable(this.request, Boolean(value));
  return this;
}
