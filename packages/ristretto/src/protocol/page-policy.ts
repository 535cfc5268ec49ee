/** The Content-Security-Policy of the short pages of redirects and errors. */

/** They need nothing: whatever a URL or a message may smuggle in, nothing is loaded and nothing runs. */
export const PAGE_POLICY = "default-src 'none'";
