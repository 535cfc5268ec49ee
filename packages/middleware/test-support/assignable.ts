/**
 * Compiles if our packages can be used wherever a program names a type of the originals. Left out are sessions, whose types
 * are global and can't be in one program with ours, and types that only one declaration can have: symbols of helmet,
 * private members of `MemoryStore`, and `MulterError`, which has more codes.
 */
import bodyParser = require('body-parser');
import compression = require('compression');
import cookieParser = require('cookie-parser');
import cors = require('cors');
import rateLimit = require('express-rate-limit');
import morgan = require('morgan');
import multer = require('multer');
import serveStatic = require('serve-static');
import ourBodyParser = require('@ristretto/body-parser1');
import ourCompression = require('@ristretto/compression');
import ourCookieParser = require('@ristretto/cookie-parser');
import ourCors = require('@ristretto/cors');
import ourMorgan = require('@ristretto/morgan');
import ourMulter = require('@ristretto/multer');
import ourRateLimit = require('@ristretto/rate-limit');
import ourServeStatic = require('@ristretto/serve-static1');

export const exported: {
  bodyParser: typeof bodyParser;
  compression: typeof compression;
  cookieParser: typeof cookieParser;
  cors: typeof cors;
  morgan: typeof morgan;
  multer: Omit<typeof multer, 'MulterError'>;
  rateLimit: Omit<typeof rateLimit, 'MemoryStore'>;
  serveStatic: typeof serveStatic;
} = {
  bodyParser: ourBodyParser,
  compression: ourCompression,
  cookieParser: ourCookieParser,
  cors: ourCors,
  morgan: ourMorgan,
  multer: ourMulter,
  rateLimit: ourRateLimit,
  serveStatic: ourServeStatic,
};

/** Returns what a program has declared with the types of the originals, as arguments for ours. */
export function accepted(
  parser: bodyParser.OptionsUrlencoded,
  compressing: compression.CompressionOptions,
  origins: cors.CorsOptions,
  upload: multer.Options,
  storage: multer.StorageEngine,
  limits: Partial<rateLimit.Options>,
  store: rateLimit.Store,
  files: serveStatic.ServeStaticOptions,
): [
  ourBodyParser.OptionsUrlencoded,
  ourCompression.CompressionOptions,
  ourCors.CorsOptions,
  ourMulter.Options,
  ourMulter.StorageEngine,
  Partial<ourRateLimit.Options>,
  ourRateLimit.Store,
  ourServeStatic.ServeStaticOptions,
] {
  return [parser, compressing, origins, upload, storage, limits, store, files];
}
