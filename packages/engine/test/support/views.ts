/** Directories of views, and a template engine that replaces `$a.b` with the local of that name. */
import fs from 'node:fs';
import path from 'node:path';

export const VIEWS = path.join(__dirname, '..', 'fixtures', 'views');
export const OTHER = path.join(__dirname, '..', 'fixtures', 'views-other');

export type Done = (err: unknown, html?: string) => void;

/** Calls back with an error for the view `broken`; throws if the locals have `fail`. */
export function tmpl(file: string, options: object, done: Done): void {
  const locals = options as Record<string, unknown>;
  if (locals.fail) throw new Error('engine failed');
  const text = fs.readFileSync(file, 'utf8');
  if (text === 'broken') {
    done(new Error('view is broken'));
    return;
  }
  done(
    null,
    text.replace(/\$([\w.]+)/g, (_whole, name: string) =>
      String(
        name
          .split('.')
          .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], locals),
      ),
    ),
  );
}
