/** Imported before the frameworks, which read the environment when they are loaded: same error pages, no error log. */
process.noDeprecation = true;
process.env.NODE_ENV = 'test';
process.env.RISTRETTO_ERROR_PAGE = 'off';
