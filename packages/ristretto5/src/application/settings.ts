/** Settings: those of Express 4, with another default and another kind of query. */
import { set as baseSet, setDefaults as setBaseDefaults } from 'ristretto/lib/application/settings';
import { compileQueryParser } from '../protocol/query-parser';
import { asBase } from './internals';
import type { Application } from './internals';
import View = require('../view');

/**
 * Sets a setting, or with the name alone returns it.
 *
 * @param name any text; certain names configure the framework
 * @param value what to set it to
 * @returns the application for chaining, or the value; undefined where it is set neither here nor on a parent
 * @throws TypeError where the value is none that the setting can have
 * @example app.set('trust proxy', 'loopback').set('title', 'My site');
 */
export function set(this: Application, name: string, value?: unknown): unknown {
  if (arguments.length === 1) return baseSet.call(asBase(this), name);
  baseSet.call(asBase(this), name, value);
  if (name === 'query parser') this.settings['query parser fn'] = compileQueryParser(value);
  return this;
}

/** Gives all settings that have one their default. */
export function setDefaults(app: Application): void {
  setBaseDefaults(asBase(app), { parser: 'simple', View });
}
