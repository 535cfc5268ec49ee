/** The log: JSON lines on standard error, so that the program's startup message stays readable. */
import pino from 'pino';

export const log = pino(
  {
    level: process.env.LOG_LEVEL || 'info',
    serializers: {
      req: (req: { id: string; method: string; url: string }) => ({
        id: req.id,
        method: req.method,
        url: req.url,
      }),
      res: () => undefined,
      // Keeps clients' data out of the log: PGlite's errors contain the query's parameters, and PostgreSQL's a row.
      err: (error: Error) => {
        const { params: _params, detail: _detail, ...rest } = pino.stdSerializers.err(error);
        return rest;
      },
    },
  },
  pino.destination({ dest: 2, sync: true }),
);
