/** `web.directory()`: listings of directories, with the package serve-index. */
import type * as http from 'node:http';
import type { Stats } from 'node:fs';
import type { Handler, Request } from './connect';

type Page = (
  req: Request,
  res: http.ServerResponse,
  files: string[],
  next: (error?: unknown) => void,
  directory: string,
  showUp: boolean,
  icons: boolean,
  path: string,
  view: string,
  template: unknown,
  stylesheet: string,
) => void;

/**
 * Create middleware that lists the directories below `root`, as HTML, JSON or text, whichever the client prefers. Mount
 * it after `web.static()` for the same directory.
 * @param root the directory
 * @param options `hidden` (whether to list names that start with a dot, false), `icons` (false), `filter(name, index,
 * names, directory)` (none), `template`, `stylesheet` and `view` (`'tiles'` or `'details'`)
 * @throws TypeError without a `root`
 * @example
 * app.use(web.static('files'));
 * app.use(web.directory('files'));
 */
const directory = require('serve-index') as directory.Make;

declare namespace directory {
  interface Make {
    (root: string, options?: Options): Handler;
    /** The functions that respond in each format; they can be replaced. */
    html: Page;
    json: Page;
    plain: Page;
  }

  interface Options {
    /** Whether to list names that start with a dot. @default false */
    hidden?: boolean | undefined;
    /** Whether to show icons. @default false */
    icons?: boolean | undefined;
    /** Which names to list. @default all */
    filter?:
      ((name: string, index: number, names: string[], directory: string) => boolean) | false | undefined;
    /** The layout of the page. @default 'tiles' */
    view?: 'tiles' | 'details' | undefined;
    /** The path of a custom style sheet. @default none */
    stylesheet?: string | undefined;
    /** The path of a custom template, or a function that renders the page. @default none */
    template?:
      | string
      | ((
          locals: {
            directory: string;
            displayIcons: boolean;
            fileList: { name: string; stat: Stats }[];
            path: string;
            style: string;
            viewName: string;
          },
          done: (error: unknown, html?: string) => void,
        ) => void)
      | undefined;
  }
}

export = directory;
