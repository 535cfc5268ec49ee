/** `import * as`, as programs without `esModuleInterop` write it. */
import * as express from 'express';
import { Application, Request, Response } from 'express';

const app: Application = express();
app.use(express.json());
app.get('/', (req: Request, res: Response) => res.send('x'));
const router = express.Router();
app.use(router);
app.use(express.static('public'));
