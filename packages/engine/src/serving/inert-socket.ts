/** Socket members that have no effect without a socket but that middleware may call. */
import { LazyDuplex } from './lazy-duplex';

export abstract class InertSocket extends LazyDuplex {
  override _read(): void {
    // The content of a request does not pass through this stream.
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
