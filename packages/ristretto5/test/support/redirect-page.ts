/** The HTML page of `res.redirect` in Express 5. */
import type { RedirectPage } from '../../../ristretto/test/support/redirect-policy.js';

export const redirectPage: RedirectPage = (title, location) =>
  `<!DOCTYPE html><head><title>${title}</title></head><body><p>${title}. Redirecting to ${location}</p></body>`;
