/** A 3.x view. It inherits from that of 4.x, so that replacing its members affects only 3.x applications. */
import BaseView = require('@ristretto/private-engine/lib/view');

type ViewInstance = InstanceType<typeof BaseView>;
type Options = ConstructorParameters<typeof BaseView>[1];

/** Finds the file and the engine of a view. */
const View = function View(this: ViewInstance, name: string, options: Options) {
  BaseView.call(this, name, options);
} as typeof BaseView;

Object.setPrototypeOf(View.prototype, BaseView.prototype);
Object.assign(View.prototype, { lookup: BaseView.prototype.lookup, render: BaseView.prototype.render });

export = View;
