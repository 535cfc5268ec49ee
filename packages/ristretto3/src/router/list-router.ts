/**
 * A 4.x router over a list that can be edited at any time, such as `app.routes.get` and `app.stack`.
 *
 * Before each use the list is compared, entry by entry, with the one that the router was made from; the router is
 * rebuilt only after a change.
 */
import Router = require('ristretto/lib/router/index');
import type Layer = require('ristretto/lib/router/layer');
import type { DispatchedRequest, Next } from 'ristretto/lib/router/walked';
import type { OptionsResponse } from 'ristretto/lib/router/options-response';
import { STATE } from 'ristretto/lib/router/symbols';

interface Made<Entry> {
  router: InstanceType<typeof Router>;
  /** The entries, and the patterns that their layers were made from. */
  entries: Entry[];
  patterns: unknown[];
}

export class ListRouter<Entry> {
  private made: Made<Entry> | undefined;

  /**
   * @param layerOf creates the layer of an entry
   * @param patternOf returns the part of an entry whose change requires a new layer
   * @param onMade called with each router that is made
   */
  constructor(
    private readonly layerOf: (entry: Entry) => Layer,
    private readonly patternOf: (entry: Entry) => unknown,
    private readonly onMade?: (router: object) => void,
  ) {}

  /** Walks the list for a request; `out` is called if none of its entries responds. */
  handle(list: readonly Entry[], req: DispatchedRequest, res: OptionsResponse, out: Next): void {
    if (!this.isCurrent(list)) this.made = this.make(list);
    this.made!.router.handle(req, res, out);
  }

  private isCurrent(list: readonly Entry[]): boolean {
    const { made } = this;
    if (made?.entries.length !== list.length) return false;
    const { entries, patterns } = made;
    for (let i = 0; i < entries.length; i++) {
      const entry = list[i]!;
      if (entry !== entries[i] || this.patternOf(entry) !== patterns[i]) return false;
    }
    return true;
  }

  private make(list: readonly Entry[]): Made<Entry> {
    const router = new Router();
    this.onMade?.(router);
    for (const entry of list) router[STATE].push(this.layerOf(entry));
    return { router, entries: [...list], patterns: list.map(this.patternOf) };
  }
}
