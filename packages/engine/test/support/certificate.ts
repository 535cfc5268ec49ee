/** The certificate for `localhost` of the examples. */
import fs from 'node:fs';
import path from 'node:path';

const folder = path.join(__dirname, '../../../../examples/https');

export const certificate = (): { key: Buffer; cert: Buffer } => ({
  key: fs.readFileSync(path.join(folder, 'localhost-key.pem')),
  cert: fs.readFileSync(path.join(folder, 'localhost-cert.pem')),
});
