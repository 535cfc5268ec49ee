/** The paths of the process's health checks. Set by `web.health`, read by `web.overload`, which rejects none of them. */
import type { Request } from '../../types/core';

const paths = new Set<string>();

/** Records the path of a health check, as `req.path` is within the mount path. */
export function noteHealthPath(path: string): void {
  paths.add(path);
}

/** Whether a request is a health check. */
export function isHealthCheck({ method, path }: Request): boolean {
  return paths.has(path) && (method === 'GET' || method === 'HEAD');
}
