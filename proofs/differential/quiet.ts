/**
 * Imported first: switches off deprecation warnings before a framework reads the flag, and selects the error page of
 * Express.
 */
process.noDeprecation = true;
process.env.RISTRETTO_ERROR_PAGE = 'off';
