/** A request and a response of an application without a connection. */
import http from 'node:http';
import type { Request, Response } from 'express';

interface Prototypes {
  request: object;
  response: object;
}

/** Creates both. The response keeps its headers and discards its body. */
export function unsent(app: unknown, fields: Partial<Request> = {}): { req: Request; res: Response } {
  const { request, response } = app as Prototypes;
  const message = new http.IncomingMessage(undefined as never);
  message.method = 'GET';
  message.url = '/';
  const req = Object.setPrototypeOf(message, request) as Request;
  const res = Object.setPrototypeOf(new http.ServerResponse(message), response) as Response;
  Object.assign(req, { ...fields, res });
  res.req = req;
  return { req, res };
}
