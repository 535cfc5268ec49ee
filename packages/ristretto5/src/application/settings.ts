/** Settings: those of Express 4, with other defaults for the view and the query parser. */
import { set as baseSet, setDefaults as setBaseDefaults } from '@ristretto/private-engine/lib/application';
import { compileQueryParser } from '../protocol/query-parser';
import { asBase } from './internals';
import type { Application } from './internals';
import View = require('../view');

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
  if (arguments.length === 1) return baseSet.call(asBase(this), name);
  baseSet.call(asBase(this), name, value);
  if (name === 'query parser') this.settings['query parser fn'] = compileQueryParser(value);
  return this;
}

/** Sets the default value of every setting that has one. */
export function setDefaults(app: Application): void {
  setBaseDefaults(asBase(app), { parser: 'simple', View });
}
