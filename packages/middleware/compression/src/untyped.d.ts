/** Types of packages that have none. */
declare module 'compressible' {
  function compressible(type: string): boolean | undefined;
  export = compressible;
}

declare module 'vary' {
  import type { ServerResponse } from 'node:http';
  function vary(res: ServerResponse, field: string): void;
  export = vary;
}
