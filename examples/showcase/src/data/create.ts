/** Creates an embedded database in the folder that is named on the command line. Runs as its own process. */
import { PGlite } from '@electric-sql/pglite';

const engine = await PGlite.create(process.argv[2]!);
await engine.close();
process.disconnect();
