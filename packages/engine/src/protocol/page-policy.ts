/** The Content-Security-Policy of the short pages for redirects and errors. */

/** The pages need nothing, so even markup injected through a URL or message can load and run nothing. */
export const PAGE_POLICY = "default-src 'none'";
