/** Starts an application by its `start` script, and ends it with all its processes. */
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { CommandError } from './command-error';
import { startApplication } from './processes';
import type { Project } from './project';

/** Milliseconds within which an application must listen. */
const LONGEST_START = 60_000;

/** Milliseconds after the first server of an application within which the others listen. */
const LONGEST_BETWEEN = 2000;

const PROBE = path.join(__dirname, '../probe.js');

/** An application that listens. */
export interface Served {
  port: number;
  isSecure: boolean;
  /** Returns the microseconds of processor time that all its processes have used. */
  usage: () => Promise<number>;
}

/** A server, and the port that the application asked for; 0 if any. */
interface Listening {
  usual: number;
  port: number;
  isSecure: boolean;
}

type Message = { listening: Listening } | { usage: NodeJS.CpuUsage };

/**
 * Runs a function while an application runs.
 * @param folder the directory whose `package.json` has the `start` script
 * @param usual the port at which the requests were recorded. If the application has several servers, such as one for metrics,
 * they go to the one with this port, or else to the first with a port of its own
 * @throws CommandError if the application ends before it listens over HTTP or HTTPS, with its output
 */
export async function whileServed<T>(
  project: Project,
  folder: string,
  usual: number,
  run: (served: Served) => Promise<T>,
): Promise<T> {
  const processes = new Set<net.Socket>();
  const heard = new Map<net.Socket, (used: number) => void>();
  const hub = net.createServer().listen(0, '127.0.0.1');
  await once(hub, 'listening');
  const servers: Listening[] = [];
  let others: NodeJS.Timeout | undefined;
  const listening = new Promise<Listening>(resolve => {
    const choose = (server: Listening) => {
      servers.push(server);
      if (server.usual === usual) resolve(server);
      others ??= setTimeout(() => {
        resolve(servers.find(each => each.usual > 0) ?? servers[0]!);
      }, LONGEST_BETWEEN);
    };
    hub.on('connection', socket => {
      processes.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        processes.delete(socket);
        heard.get(socket)?.(0);
      });
      createInterface(socket).on('line', line => {
        const message = JSON.parse(line) as Message;
        if ('listening' in message) choose(message.listening);
        else heard.get(socket)?.(message.usage.user + message.usage.system);
      });
    });
  });
  const { port } = hub.address() as net.AddressInfo;
  const { ended, stop } = startApplication(project, folder, PROBE, port);
  const timer = setTimeout(stop, LONGEST_START);
  const usageOf = (socket: net.Socket) =>
    new Promise<number>(resolve => {
      heard.set(socket, resolve);
      socket.write('usage');
    });
  try {
    const failed = ended.then(({ output }) => {
      throw new CommandError(`${project.manager} start ended before the application listened:\n\n${output}`);
    });
    const { port: own, isSecure } = await Promise.race([listening, failed]);
    failed.catch(() => undefined);
    clearTimeout(timer);
    const usage = async () =>
      (await Promise.all([...processes].map(usageOf))).reduce((total, used) => total + used, 0);
    return await run({ port: own, isSecure, usage });
  } finally {
    clearTimeout(timer);
    clearTimeout(others);
    for (const socket of processes) socket.destroy();
    hub.close();
    stop();
    await ended;
  }
}
