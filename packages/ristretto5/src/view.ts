/** A 5.x view. It inherits from that of 4.x, so that replacing its members affects only 5.x applications. */
import BaseView = require('@ristretto/private-engine/lib/view');

type ViewInstance = InstanceType<typeof BaseView>;
type Options = ConstructorParameters<typeof BaseView>[1];
type Callback = Parameters<ViewInstance['render']>[1];

/** Finds the file and the engine of a view. */
const View = function View(this: ViewInstance, name: string, options: Options) {
  BaseView.call(this, name, options);
} as typeof BaseView;

Object.setPrototypeOf(View.prototype, BaseView.prototype);
const { lookup, resolve } = BaseView.prototype;
Object.assign(View.prototype, { lookup, resolve });

/** Passes the file to the engine. The callback is always called asynchronously, even if the engine is synchronous. */
View.prototype.render = function render(this: ViewInstance, options: object, callback: Callback): void {
  let isSync = true;
  this.engine(this.path!, options, (err: unknown, html?: string) => {
    if (isSync) process.nextTick(callback, err, html);
    else callback(err, html);
  });
  isSync = false;
};

export = View;
