/** Builds the environment of a program: patches, inserted classes, the application and its server. */
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import type { Web } from '../../../packages/engine/test/support/oracle.js';
import { perform, performLater } from './handler.js';
import type { Stage } from './handler.js';
import type { Program, Wrapper } from './program.js';
import { brief } from './record.js';
import type { Recorder } from './record.js';
import { putBeneath, recordingClass, targetOf, wrap } from './wrap.js';
import type { Holder, Replacements } from './wrap.js';

export type Listener = (req: IncomingMessage, res: ServerResponse) => void;
export type App = ReturnType<Web>;

export interface MessageClasses {
  IncomingMessage: typeof http.IncomingMessage;
  ServerResponse: typeof http.ServerResponse;
}

/** Idle connections stay open for this many milliseconds, because the machine may be slow. */
const PATIENT = 60_000;

/** Members with a getter in the framework, to which a handler without the framework may assign. */
const ASSIGNED = ['path', 'ip', 'query', 'xhr'];

export class Site {
  readonly stage: Stage;
  readonly app: App;
  private holder: Holder | undefined;

  constructor(
    private readonly program: Program,
    private readonly web: Web,
    root: string,
    private readonly recorder: Recorder,
    private readonly replacements: Replacements,
    signal: () => void,
  ) {
    this.stage = { recorder, root, later: [], signal, wrapShared: wrapper => this.wrapShared(wrapper) };
    this.patch('runtime', 'framework');
    this.app = this.build();
    this.patch('application');
  }

  /** Makes the patches of these owners and inserts their classes. */
  private patch(...owners: string[]): void {
    const { program, replacements } = this;
    for (const beneath of program.beneath.filter(({ where }) => owners.includes(where)))
      putBeneath(beneath, { web: this.web, app: this.holder }, () => this.recorder, replacements);
    for (const wrapper of program.wrappers.filter(({ target }) => owners.includes(target)))
      this.wrapShared(wrapper);
  }

  private wrapShared(wrapper: Wrapper): void {
    const target = targetOf(wrapper, { web: this.web, app: this.holder });
    if (target) wrap(target, wrapper, () => this.recorder, this.replacements);
  }

  private build(): App {
    const { program, web, stage } = this;
    const make = (): App => web().set('env', 'production').set('x-powered-by', program.poweredBy);
    const app = make();
    for (const parser of program.parsers) app.use(web[parser]());
    const inner = program.place === 'sub-application' ? make() : app;
    const place = program.place === 'router' ? web.Router() : inner;
    for (const [index, steps] of program.handlers.entries()) {
      place.use(`/${index}`, (req, res, next) => perform(steps, { stage, req, res, next }));
    }
    if (place !== app) app.use(place as RequestHandler);
    this.holder = inner as unknown as Holder;
    return app;
  }

  /** Numbers an incoming request, and performs the steps of a listener before the application. */
  arrive(req: IncomingMessage, res: ServerResponse): void {
    this.recorder.number(req, res);
    this.recorder.event(req, `${req.method ?? ''} ${req.url ?? ''}`);
    performLater(this.program.first, { stage: this.stage, req, res, next: () => undefined });
  }

  /** Creates the server, which listens if `app.listen` created it. */
  makeServer(): http.Server {
    const server = this.serverOfKind();
    server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => this.arrive(req, res));
    for (const event of this.program.also) this.listenTo(server, event);
    return server;
  }

  private serverOfKind(): http.Server {
    const { program, app } = this;
    const listener = app as unknown as Listener;
    const options = { keepAliveTimeout: PATIENT, ...program.options, ...this.messageClasses() };
    switch (program.server) {
      case 'listen': {
        const server = app.listen(0, '127.0.0.1');
        server.keepAliveTimeout = PATIENT;
        return server;
      }
      case 'listener':
        return http.createServer(options, (req, res) => listener(req, res));
      case 'emit':
        return http.createServer(options).on('request', listener);
      case 'mixed':
        return http.createServer(options, (req, res) => {
          if (req.url?.startsWith('/bare')) this.respondBare(req, res);
          else listener(req, res);
        });
      default:
        return http.createServer(options, listener);
    }
  }

  private listenTo(server: http.Server, event: Program['also'][number]): void {
    const { recorder } = this;
    if (event === 'checkContinue') {
      server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
        this.arrive(req, res);
        res.writeContinue();
        (this.app as unknown as Listener)(req, res);
      });
    } else if (event === 'clientError') {
      server.on('clientError', (error: Error, socket: Socket) => {
        recorder.add(`clientError ${brief(error)}`);
        socket.end('HTTP/1.1 400 Own\r\nConnection: close\r\n\r\n');
      });
    } else {
      server.on('upgrade', (req: IncomingMessage, socket: Socket) => {
        recorder.add(`upgrade ${assignTo(req)}`);
        socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
      });
    }
  }

  /** Responds to a request that the application never receives: its messages are those of Node.js. */
  private respondBare(req: IncomingMessage, res: ServerResponse): void {
    const shown = ['send', 'json', 'app'].filter(name => name in res).join();
    this.recorder.event(req, `bare [${shown}] ${assignTo(req)}`);
    res.end('bare');
  }

  /** Returns the message classes for the server, if the program has some. */
  messageClasses(): Partial<MessageClasses> {
    const classes: Record<string, unknown> = {};
    for (const beneath of this.program.beneath.filter(({ where }) => where === 'server')) {
      const name = beneath.of === 'req' ? 'IncomingMessage' : 'ServerResponse';
      classes[name] = recordingClass(http[name] as never, beneath, () => this.recorder);
    }
    return classes;
  }
}

/** Assigns to members that are getters in the framework, and returns their values after that. */
function assignTo(req: IncomingMessage): string {
  const loose = req as unknown as Record<string, unknown>;
  try {
    for (const name of ASSIGNED) loose[name] = name;
    return ASSIGNED.map(name => brief(loose[name])).join();
  } catch (error) {
    return `throws ${brief(error)}`;
  }
}
