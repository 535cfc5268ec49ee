/** An application that uses the library with `@types/express`. */
import * as library from 'library';
import { app, same } from './common-consumer';

app.use(library.parseQuery());
same<ReturnType<typeof library.params>['a'], string>();
same<ReturnType<typeof library.lookup>, string>();
