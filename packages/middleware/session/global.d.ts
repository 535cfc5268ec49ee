// This is a declaration file, so that programs that also use other sessions compile with `skipLibCheck`.
import type session = require('./lib/index');

declare global {
  namespace Express {
    type SessionStore = session.Store & { generate: (req: Request) => void };

    interface Request {
      /** The session of the client. */
      session: session.Session & Partial<session.SessionData>;
      /** The ID of the session. */
      sessionID: string;
      /** The store of the session. */
      sessionStore: SessionStore;
    }
  }
}
