/** The event `header` of a response, and `headerSent`: what connect 2 gave before there were other ways. */
import depd = require('depd');
import { ServerResponse } from 'node:http';
import onHeaders = require('on-headers');
import type { Response } from '../types/core';

const deprecate = depd('express');

/**
 * The functions that register a listener. One of `header` is called once, right before the headers go out, those that
 * came last first.
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

/** `res.headerSent`: the name that `res.headersSent` had. */
export function headerSent(this: Response): boolean {
  deprecate('res.headerSent: Use res.headersSent instead');
  return this.headersSent;
}
