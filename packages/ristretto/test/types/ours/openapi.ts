/** Arguments and results of `web.openApi`, `web.openApiPage` and descriptions. */
import web, {
  type OpenApiPageOptions,
  type OpenApiDocument,
  type OpenApiHandler,
  type OpenApiOptions,
  type RouteDescription,
  type StandardSchema,
} from 'ristretto';

declare const User: StandardSchema<{ email: string }>;

const app = web();
const info = { title: 'Users', version: '1.0.0', contact: { name: 'Ada' } };
const options: OpenApiOptions = {
  info,
  servers: [{ url: 'https://api.example.com' }],
  securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  security: [{ bearer: [] }],
  tags: [{ name: 'users', description: 'Accounts' }],
  basePath: '/api',
  filter: ({ path, method }) => path !== '/' && method === 'GET',
  toJSONSchema: (schema, direction) => ({ vendor: schema['~standard'].vendor, direction }),
};
const handler: OpenApiHandler = web.openApi(app, options);
const document: OpenApiDocument = handler.document();
const title: string = document.info.title;
app.get('/openapi.json', handler);
app.get('/openapi/:id', web.openApi(web.Router(), { info }));
app.use('/openapi', handler);
app.get(`/${title}`, web.openApi(app, { info }), (_req, res) => res.send('x'));

const page: OpenApiPageOptions = { title: 'x', connect: ['https://a.example'], ui: { docExpansion: 'none' } };
app.use('/docs', web.openApiPage('/openapi.json'), web.openApiPage('/openapi.json', page));

const description: RouteDescription = { summary: 'x', responses: { 201: { description: 'y' }, '4XX': {} } };
app.post('/users', web.describe(description), web.validate({ body: User }), (req, res) => {
  const email: string = req.body.email;
  res.send(email);
});
app.get('/users', web.describe({ tags: ['users'], security: [], deprecated: true }), (req, res) => {
  res.send(req.path);
});

// @ts-expect-error info is missing
web.openApi(app, {});
// @ts-expect-error the version is missing
web.openApi(app, { info: { title: 'x' } });
// @ts-expect-error no such option
web.openApi(app, { info, titel: 'x' });
// @ts-expect-error no application
web.openApi({}, { info });
// @ts-expect-error an array is wanted
web.describe({ tags: 'users' });
// @ts-expect-error no such part
web.describe({ sumary: 'x' });
// @ts-expect-error an array is wanted
web.openApiPage('/openapi.json', { connect: 'https://a.example' });
