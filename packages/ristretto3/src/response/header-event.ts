/** The event `header` of a response, and `headerSent`, as in connect 2. */
import depd = require('depd');
import { ServerResponse } from 'node:http';
import onHeaders = require('on-headers');
import type { Response } from '../types/core';

const deprecate = depd('express');

/**
 * The functions that register a listener. A listener of `header` is called once, right before the headers are sent; the
 * last registered is called first.
 */
export const listening = Object.fromEntries(
  (['on', 'addListener', 'once'] as const).map(name => {
    const register = function (this: Response, event: string, listener: () => void): Response {
      if (event !== 'header')
        return Reflect.apply(ServerResponse.prototype[name], this, [event, listener]) as Response;
      deprecate(`res.${name}("header"): Use on-headers npm module instead`);
      onHeaders(this, listener);
      return this;
    };
    return [name, register];
  }),
);

/** `res.headerSent`: the former name of `res.headersSent`. */
export function headerSent(this: Response): boolean {
  deprecate('res.headerSent: Use res.headersSent instead');
  return this.headersSent;
}
