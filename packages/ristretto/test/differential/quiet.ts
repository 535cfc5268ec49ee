/** Imported first: deprecation warnings are switched off before a framework asks whether they are. */
process.noDeprecation = true;
