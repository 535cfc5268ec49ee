/** The members of a socket that mean nothing where there is none, and that middleware calls all the same. */
import { Duplex } from 'node:stream';

export abstract class InertSocket extends Duplex {
  constructor() {
    super({ decodeStrings: false, autoDestroy: false });
  }

  override _read(): void {
    // The content of a request does not come through here.
  }

  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  destroySoon(): void {
    this.end();
  }
}
