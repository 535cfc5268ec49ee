import rateLimit, { ipKeyGenerator, MemoryStore, MINUTE, rateLimit as named } from 'express-rate-limit';
import type {
  AugmentedRequest,
  ClientRateLimitInfo,
  IncrementResponse,
  LegacyStore,
  Options,
  RateLimitExceededEventHandler,
  RateLimitInfo,
  RateLimitRequestHandler,
  Store,
  ValueDeterminingMiddleware,
} from 'express-rate-limit';
import express from 'express';

const app = express();
app.use(rateLimit());
const limiter: RateLimitRequestHandler = named({
  windowMs: 15 * MINUTE,
  limit: async req => (req.ip === '::1' ? 100 : 5),
  standardHeaders: 'draft-8',
  legacyHeaders: false,
  ipv6Subnet: 56,
  message: { error: 'x' },
  identifier: req => req.hostname,
  retryAfter: () => 5,
  keyGenerator: (req, res) => ipKeyGenerator(req.ip ?? res.locals.ip, 64),
  handler: (_req, res, next, options) => {
    if (options.statusCode === 429) res.status(429).send(options.message);
    else next();
  },
  skip: req => req.method === 'HEAD',
  requestWasSuccessful: (_req, res) => res.statusCode < 400,
  validate: { default: true, trustProxy: false },
  store: new MemoryStore(),
  passOnStoreError: true,
  logger: { error: (error, message) => console.error(message, error), warn: console.warn },
});
app.get('/', limiter, (req, res) => void res.json((req as AugmentedRequest).rateLimit?.remaining));
limiter.resetKey('x');
const found: ClientRateLimitInfo | undefined | Promise<ClientRateLimitInfo | undefined> = limiter.getKey('x');
void found;

class OwnStore implements Store {
  windowMs = 0;
  prefix = 'p:';
  localKeys = false;
  init(options: Options): void {
    this.windowMs = options.windowMs;
  }
  async increment(_key: string): Promise<IncrementResponse> {
    return { totalHits: 1, resetTime: new Date() };
  }
  async decrement(_key: string): Promise<void> {}
  async resetKey(_key: string): Promise<void> {}
}
app.use(rateLimit({ store: new OwnStore() }));
const legacy: LegacyStore = {
  incr: (_key, callback) => callback(undefined, 1, new Date()),
  decrement() {},
  resetKey() {},
};
app.use(rateLimit({ store: legacy }));
const handler: RateLimitExceededEventHandler = (_req, res) => void res.sendStatus(429);
const limit: ValueDeterminingMiddleware<number> = () => 5;
app.use(rateLimit({ handler, limit }));
const options: Partial<Options> = { max: 5, headers: false };
rateLimit(options);
const info: RateLimitInfo = { limit: 1, used: 1, remaining: 0, resetTime: undefined, key: '' };
void info;
const store: MemoryStore = new MemoryStore();
store.shutdown();

// @ts-expect-error -- not a draft
rateLimit({ standardHeaders: 'draft-9' });
// @ts-expect-error -- no such option
rateLimit({ unknown: true });
