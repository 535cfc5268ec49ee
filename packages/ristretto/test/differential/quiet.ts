/**
 * Imported first: deprecation warnings are switched off before a framework asks whether they are, and errors have the page of
 * Express.
 */
process.noDeprecation = true;
process.env.RISTRETTO_ERROR_PAGE = 'off';
