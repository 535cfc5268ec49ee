/** Runs one program on one framework, server and client in this process, and gives what was seen. */
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Web } from '../../support/oracle.js';
import { Client } from './client.js';
import { perform } from './handler.js';
import type { Stage } from './handler.js';
import type { Action, Outcome, Program } from './program.js';
import { brief, Recorder } from './record.js';
import { atRest } from './rest.js';
import { putBeneath, recordingClass, Replacements, targetOf, wrap } from './wrap.js';

type Listener = (req: IncomingMessage, res: ServerResponse) => void;
type App = ReturnType<Web>;

/** Idle connections stay open, however slow the machine is. */
const PATIENT = 60_000;

export class Execution {
  private readonly recorder = new Recorder();
  private readonly replacements = new Replacements();
  private readonly sockets = new Set<Socket>();
  private readonly stage: Stage;
  private server: http.Server | undefined;
  private client: Client | undefined;

  constructor(
    private readonly program: Program,
    private readonly web: Web,
    root: string,
  ) {
    const { recorder } = this;
    this.stage = { recorder, root, later: [], signal: () => this.client?.signal() };
  }

  async run(): Promise<Outcome> {
    const received: string[] = [];
    const uncaught = (error: unknown): void => this.recorder.add(`uncaught ${brief(error)}`);
    process.on('uncaughtException', uncaught);
    let end = 'done';
    try {
      const port = await this.start();
      for (const actions of this.program.connections) {
        if (!(await this.converse(port, actions))) end = 'restless';
        received.push(this.client!.received());
      }
    } catch (error) {
      end = `failed: ${brief(error)}`;
    }
    await this.stop();
    process.off('uncaughtException', uncaught);
    return { end, received, log: this.recorder.close() };
  }

  /** Builds everything in the order in which a program would. */
  private async start(): Promise<number> {
    const { program, web, replacements } = this;
    const record = (): Recorder => this.recorder;
    const early = program.wrappers.filter(({ target }) => target === 'runtime' || target === 'framework');
    for (const wrapper of early) {
      const target = targetOf(wrapper, { web });
      if (target) wrap(target, wrapper, record, replacements);
    }
    const inFramework = program.beneath.filter(({ where }) => where === 'framework');
    for (const beneath of inFramework) putBeneath(beneath, { web }, record, replacements);
    const app = this.build();
    const { server, port } = await this.listen(app);
    server.on('connection', socket => this.sockets.add(socket));
    return port;
  }

  private build(): App {
    const { program, web, replacements } = this;
    const record = (): Recorder => this.recorder;
    const app = web().set('env', 'production').set('x-powered-by', program.poweredBy);
    for (const parser of program.parsers) app.use(web[parser]());
    const inner = program.place === 'sub-application' ? web().set('env', 'production') : app;
    const place = program.place === 'router' ? web.Router() : inner;
    for (const [index, steps] of program.handlers.entries()) {
      place.use(`/${index}`, (req, res, next) => perform(steps, { stage: this.stage, req, res, next }));
    }
    if (place !== app) app.use(place as RequestHandler);
    const holder = inner as unknown as { request: object; response: object };
    for (const beneath of program.beneath.filter(({ where }) => where === 'application'))
      putBeneath(beneath, { app: holder }, record, replacements);
    for (const wrapper of program.wrappers.filter(({ target }) => target === 'application')) {
      const target = targetOf(wrapper, { app: holder });
      if (target) wrap(target, wrapper, record, replacements);
    }
    return app;
  }

  private async listen(app: App): Promise<{ server: http.Server; port: number }> {
    const server = this.makeServer(app);
    this.server = server;
    // the first listener: requests have numbers before anybody else sees them
    server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
      this.recorder.number(req, res);
      this.recorder.event(req, `${req.method ?? ''} ${req.url ?? ''}`);
    });
    if (!server.listening) await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return { server, port: (server.address() as AddressInfo).port };
  }

  private makeServer(app: App): http.Server {
    const { program } = this;
    const listener = app as unknown as Listener;
    const options = {
      keepAliveTimeout: PATIENT,
      ...program.options,
      ...this.messageClasses(),
    } as http.ServerOptions;
    switch (program.server) {
      case 'listen': {
        const server = app.listen(0, '127.0.0.1');
        server.keepAliveTimeout = PATIENT;
        return server;
      }
      case 'createServer':
        return http.createServer(options, listener);
      case 'listener':
        return http.createServer(options, (req, res) => listener(req, res));
      case 'emit': {
        const server = http.createServer(options);
        return server.on('request', listener);
      }
      default:
        return http.createServer(options, (req, res) => {
          if (req.url?.startsWith('/bare')) this.respondBare(req, res);
          else listener(req, res);
        });
    }
  }

  /** A request that the application never sees: its messages are those of Node.js. */
  private respondBare(req: IncomingMessage, res: ServerResponse): void {
    const shown = ['send', 'json', 'app'].filter(name => name in res).join();
    try {
      for (const name of ['path', 'ip', 'query', 'xhr'])
        (req as unknown as Record<string, unknown>)[name] = name;
      const assigned = ['path', 'ip', 'query', 'xhr'].map(
        name => (req as unknown as Record<string, unknown>)[name],
      );
      this.recorder.event(req, `bare [${shown}] ${assigned.map(brief).join()}`);
    } catch (error) {
      this.recorder.event(req, `bare [${shown}] throws ${brief(error)}`);
    }
    res.end('bare');
  }

  private messageClasses(): object {
    const classes: Record<string, unknown> = {};
    for (const beneath of this.program.beneath.filter(({ where }) => where === 'server')) {
      const name = beneath.of === 'req' ? 'IncomingMessage' : 'ServerResponse';
      classes[name] = recordingClass(http[name] as never, beneath, () => this.recorder);
    }
    return classes;
  }

  /** One connection, from the first action to its end; false if it never came to rest. */
  private async converse(port: number, actions: Action[]): Promise<boolean> {
    const client = await Client.connect(port);
    this.client = client;
    let isStill = true;
    for (const [index, action] of actions.entries()) {
      client.act(action);
      if (action.watch) continue;
      isStill = (await this.rest(`rest ${index + 1}`)) && isStill;
      if (await this.runLater()) isStill = (await this.rest(`rest ${index + 1} later`)) && isStill;
    }
    while (await this.runLater()) isStill = (await this.rest('rest')) && isStill;
    client.close();
    return (await this.rest('closed')) && isStill;
  }

  private async runLater(): Promise<boolean> {
    const steps = this.stage.later.splice(0);
    for (const step of steps) step();
    await turn();
    return steps.length > 0;
  }

  private async rest(what: string): Promise<boolean> {
    const isStill = await atRest({
      count: () => this.recorder.lines.length + (this.client?.moved ?? 0),
      isPaused: () => this.client?.isPaused ?? false,
    });
    this.recorder.instant(what);
    return isStill;
  }

  private async stop(): Promise<void> {
    const { server } = this;
    for (const socket of this.sockets) socket.destroy();
    if (server) await new Promise<unknown>(resolve => server.close(resolve));
    this.replacements.restore();
    await turn();
  }
}
