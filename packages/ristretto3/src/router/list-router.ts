/**
 * Walks a list that can be edited at any time, such as `app.routes.get` and `app.stack`.
 *
 * Before each use the list is compared, entry by entry, with the one that the layers were created from; they are
 * created again only after a change.
 */
import type {
  DispatchedRequest,
  DispatchingRouter,
  Layer,
  OptionsResponse,
} from '@ristretto/private-engine/lib/router';
import { RouterState, STATE, dispatch } from '@ristretto/private-engine/lib/router';
import type { Next } from '@ristretto/private-engine/lib/types/next';
import { version } from '../version';

interface Made<Entry> {
  router: DispatchingRouter;
  /** The entries, and the patterns that their layers were created from. */
  entries: Entry[];
  patterns: unknown[];
}

/** Layers of routes run the parameter callbacks themselves. */
function ignoreParams(_layer: unknown, _called: unknown, _req: unknown, _res: unknown, done: Next): void {
  done();
}

export class ListRouter<Entry> {
  private made: Made<Entry> | undefined;

  /**
   * @param layerOf creates the layer of an entry
   * @param patternOf returns the part of an entry whose change requires a new layer
   * @param onMade called with each router that is created
   */
  constructor(
    private readonly layerOf: (entry: Entry) => Layer,
    private readonly patternOf: (entry: Entry) => unknown,
    private readonly onMade?: (router: object) => void,
  ) {}

  /** Walks the list for a request; `out` is called if none of its entries responds. */
  handle(list: readonly Entry[], req: DispatchedRequest, res: OptionsResponse, out: Next): void {
    if (!this.isCurrent(list)) this.made = this.make(list);
    dispatch(this.made!.router, ignoreParams, req, res, out);
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
    const state = new RouterState(version.router);
    for (const entry of list) state.push(this.layerOf(entry));
    const router = { params: {}, [STATE]: state, process_params: ignoreParams };
    this.onMade?.(router);
    return { router, entries: [...list], patterns: list.map(this.patternOf) };
  }
}
