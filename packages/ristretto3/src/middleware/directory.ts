/** `web.directory()`: listings of directories, by the package serve-index. */
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
 * Middleware that lists the directories below `root`, as HTML, JSON or text, whichever the client likes best. It
 * stands behind `web.static()` for the same directory.
 *
 * @param root the directory
 * @param options `hidden` (names with a dot in front, false), `icons` (false), `filter(name, index, names,
 *   directory)` (none), `template`, `stylesheet` and `view` (`'tiles'` or `'details'`)
 * @throws TypeError without a `root`
 * @example
 * app.use(web.static('files'));
 * app.use(web.directory('files'));
 */
const directory = require('serve-index') as directory.Make;

declare namespace directory {
  interface Make {
    (root: string, options?: Options): Handler;
    /** What answers in each form; they may be replaced. */
    html: Page;
    json: Page;
    plain: Page;
  }

  interface Options {
    /** Whether names with a dot in front are listed. @default false */
    hidden?: boolean | undefined;
    /** Whether names have icons. @default false */
    icons?: boolean | undefined;
    /** Which names are listed. @default all */
    filter?:
      ((name: string, index: number, names: string[], directory: string) => boolean) | false | undefined;
    /** How the page looks. @default 'tiles' */
    view?: 'tiles' | 'details' | undefined;
    /** The path of a style sheet of one's own. @default none */
    stylesheet?: string | undefined;
    /** The path of a page of one's own, or what makes the page. @default none */
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
