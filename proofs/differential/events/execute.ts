/** Runs one program on one framework, with server and client in this process, and returns what was observed. */
import type http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Web } from '../../../packages/engine/test/support/oracle.js';
import { Client } from './client.js';
import { Injector } from './inject.js';
import type { Action, Outcome, Program } from './program.js';
import { brief, Recorder } from './record.js';
import { Site } from './site.js';
import { Replacements } from './wrap.js';

/** Turns of the event loop in which nothing must happen. */
const TURNS = 8;
/** The factor by which all time limits are extended. */
const SLOWNESS = Number(process.env.DIFFERENTIAL_SLOWNESS ?? 1);
const PATIENCE = 6_000 * SLOWNESS;
/** How long the system may take to deliver data from one end of a connection to the other; some data never arrives. */
const JOURNEY = 60 * SLOWNESS;

interface Movement {
  /** Returns a number that grows with every event. */
  count(): number;
  /** Whether the client has stopped reading from the socket. */
  isPaused(): boolean;
  /** Whether one end of the connection has sent bytes that the other has not received. */
  isUnderWay(): boolean;
}

/**
 * Resolves with true when nothing has happened for some turns and no bytes are in transit; false if that takes too
 * long.
 */
async function atRest(movement: Movement): Promise<boolean> {
  const deadline = performance.now() + PATIENCE;
  let last = -1;
  let since = 0;
  while (performance.now() < deadline) {
    const before = movement.count();
    if (before !== last) since = performance.now();
    last = before;
    if (!(await isStill(movement, TURNS))) continue;
    await sleep(1);
    if (movement.isUnderWay() && performance.now() - since < JOURNEY) continue;
    if (await isStill(movement, TURNS / 2)) return true;
  }
  return false;
}

async function isStill(movement: Movement, turns: number): Promise<boolean> {
  const before = movement.count();
  for (let left = turns; left > 0; left--) await turn();
  return movement.count() === before && !isBusy(movement);
}

/** Whether a pending operation of the system will complete by itself. */
function isBusy(movement: Movement): boolean {
  const resources = process.getActiveResourcesInfo();
  return resources.some(
    name => name === 'FSReqCallback' || (name.endsWith('WriteWrap') && !movement.isPaused()),
  );
}

export class Execution {
  private readonly recorder = new Recorder();
  private readonly replacements = new Replacements();
  private readonly sockets = new Set<Socket>();
  private readonly site: Site;
  private server: http.Server | undefined;
  private client: Client | Injector | undefined;
  /** The server's end of the client's connection. */
  private accepted: Socket | undefined;

  constructor(
    private readonly program: Program,
    web: Web,
    root: string,
  ) {
    if (program.server === 'inject') Injector.putBeneath(web, this.replacements);
    this.site = new Site(program, web, root, this.recorder, this.replacements, () => this.client?.signal());
  }

  async run(): Promise<Outcome> {
    const received: string[] = [];
    const uncaught = (error: unknown): void => this.recorder.add(`uncaught ${brief(error)}`);
    process.on('uncaughtException', uncaught);
    let end = 'done';
    try {
      const connect = await this.start();
      for (const actions of this.program.connections) {
        this.accepted = undefined;
        this.client = await connect();
        if (!(await this.converse(this.client, actions))) end = 'restless';
        received.push(this.client.received());
      }
    } catch (error) {
      end = `failed: ${brief(error)}`;
    }
    await this.stop();
    process.off('uncaughtException', uncaught);
    return { end, received, log: this.recorder.close() };
  }

  /** Starts the server; returns a function that creates a client for it. */
  private async start(): Promise<() => Client | Injector | Promise<Client>> {
    if (this.program.server === 'inject') return () => new Injector(this.site);
    const server = this.site.makeServer();
    this.server = server;
    server.on('connection', socket => {
      this.sockets.add(socket);
      this.accepted = socket;
    });
    if (!server.listening) await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return () => Client.connect(port);
  }

  /** Runs one connection from the first action to its end; returns false if it never became idle. */
  private async converse(client: Client | Injector, actions: Action[]): Promise<boolean> {
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
    const steps = this.site.stage.later.splice(0);
    for (const step of steps) step();
    await turn();
    return steps.length > 0;
  }

  private async rest(what: string): Promise<boolean> {
    const isStill = await atRest({
      count: () => this.recorder.lines.length + (this.client?.moved ?? 0),
      isPaused: () => this.client?.isPaused ?? false,
      isUnderWay: () => this.client?.isUnderWay(this.accepted) ?? false,
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
