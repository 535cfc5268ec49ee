/** The application behind Cloudflare's handler for servers of `node:http`. */
import { httpServerHandler } from 'cloudflare:node';
import { app } from './app.mjs';

app.listen(8080);
export default httpServerHandler({ port: 8080 });
