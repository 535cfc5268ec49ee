/** The members of a socket that mean nothing where there is none, and that middleware calls all the same. */
import { LazyDuplex } from './lazy-duplex';

export abstract class InertSocket extends LazyDuplex {
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
