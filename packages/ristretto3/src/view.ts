/** A 3.x view. It inherits from that of 4.x, so that replacing its members affects only 3.x applications. */
import BaseView = require('@ristretto/private-engine/lib/view');

type ViewInstance = InstanceType<typeof BaseView>;
type Options = ConstructorParameters<typeof BaseView>[1];

interface ViewConstructor {
  new (name: string, options: Options): ViewInstance;
  (this: ViewInstance, name: string, options: Options): void;
  prototype: ViewInstance;
}

/**
 * Finds the file and the engine of a view.
 * @param name relative to the root, or absolute; with or without extension
 * @param options `root` (a directory, or several), `engines` by extension, and `defaultEngine`
 * @throws Error if there is neither an extension nor a default engine, or the engine's module is missing or exports no
 * engine
 * @example new View('index', { defaultEngine: 'ejs', engines: {}, root: '/app/views' }).path; // '/app/views/index.ejs'
 */
const View = function View(this: ViewInstance, name: string, options: Options) {
  BaseView.call(this, name, options);
} as ViewConstructor;

Object.setPrototypeOf(View.prototype, BaseView.prototype);
Object.assign(View.prototype, { lookup: BaseView.prototype.lookup, render: BaseView.prototype.render });

export = View;
