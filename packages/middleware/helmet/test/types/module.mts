import helmet, { contentSecurityPolicy, hsts } from 'helmet';
import type { HelmetOptions } from 'helmet';
import * as all from 'helmet';
import express from 'express';
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

const app = express();
app.use(helmet());
app.use(helmet({}));
app.use(
  helmet({
    contentSecurityPolicy: {
      useDefaults: true,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", (_req, res) => `'nonce-${(res as express.Response).locals.nonce as string}'`],
        styleSrc: null,
        imgSrc: new Set(['a', 'b']),
        'default-src': helmet.contentSecurityPolicy.dangerouslyDisableDefaultSrc,
        ...helmet.contentSecurityPolicy.getDefaultDirectives(),
      },
      reportOnly: true,
    },
    crossOriginEmbedderPolicy: { policy: 'credentialless' },
    crossOriginOpenerPolicy: { policy: 'noopener-allow-popups' },
    crossOriginResourcePolicy: false,
    originAgentCluster: true,
    referrerPolicy: { policy: ['no-referrer', 'same-origin'] },
    hsts: { maxAge: 5, includeSubDomains: false, preload: true },
    xDnsPrefetchControl: { allow: true },
    frameguard: { action: 'deny' },
    permittedCrossDomainPolicies: { permittedPolicies: 'none' },
    hidePoweredBy: false,
  }),
);
app.use(
  contentSecurityPolicy({
    useDefaults: false,
    directives: { defaultSrc: contentSecurityPolicy.dangerouslyDisableDefaultSrc },
  }),
);
app.use(hsts({ maxAge: 5 }), helmet.frameguard({ action: 'sameorigin' }), helmet.noSniff(), all.ieNoOpen());
app.use(all.default(), all.xssFilter());

const options: HelmetOptions = { xssFilter: false };
const typed: Readonly<HelmetOptions> = options;
const middleware: (req: IncomingMessage, res: ServerResponse, next: (err?: unknown) => void) => void =
  helmet(typed);
http.createServer((req, res) => middleware(req, res, () => res.end()));
type First = Parameters<typeof helmet>[0];
const first: First = { noSniff: true };
helmet(first);

// @ts-expect-error -- both names of a header
helmet({ hsts: true, strictTransportSecurity: true });
// @ts-expect-error -- no such policy
helmet({ crossOriginOpenerPolicy: { policy: 'x' } });
// @ts-expect-error -- without defaults there must be directives
helmet({ contentSecurityPolicy: { useDefaults: false } });
// @ts-expect-error -- no such option
helmet({ unknown: true });
// @ts-expect-error -- spelling
helmet.hsts({ maxage: 5 });
