import rateLimit, { MemoryStore, rateLimit as named } from 'express-rate-limit';
import type { RateLimitRequestHandler } from 'express-rate-limit';
import express from 'express';

const limiter: RateLimitRequestHandler = named({ store: new MemoryStore() });
express().use(rateLimit(), limiter);
