/** What the handler of a dropped response goes on to write, while error handlers send another one in its place. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Set while error handlers run, also after they have waited. */
const running = new AsyncLocalStorage<LeftOver>();

export class LeftOver {
  /** Whether a call of the error handlers has been recognized: a library may lose their asynchronous context. */
  private isKnown = false;
  private isPiped = false;

  /** Calls error handlers. */
  run(call: () => void): void {
    running.run(this, call);
  }

  /** Notes that a source is piped, whose chunks come in its own asynchronous context. */
  notePipe(): void {
    this.isPiped ||= running.getStore() === this;
  }

  /**
   * Whether a call comes from the handler of the dropped response.
   * @param isProbable tells, as long as no call of the error handlers has been recognized
   */
  isCalling(isProbable: () => boolean): boolean {
    if (running.getStore() === this) {
      this.isKnown = true;
      return false;
    }
    return (this.isKnown && !this.isPiped) || isProbable();
  }
}
