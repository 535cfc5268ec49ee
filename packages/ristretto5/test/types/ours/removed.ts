/** Members that Express 5 removed must not compile. */
import web from 'ristretto5';

const app = web();
// @ts-expect-error removed: app.delete()
void app.del;
// @ts-expect-error removed: app.router
void app._router;
// @ts-expect-error removed: a name has to be given
app.param((_name: string) => () => undefined);
// @ts-expect-error removed: applications parse the query
void web.query;
// @ts-expect-error removed
void web.static.mime;
// @ts-expect-error removed: app.router.stack
void app.stack;
// @ts-expect-error it is made by the application
app.router = web.Router();

app.get('/:id', (req, res) => {
  // @ts-expect-error removed
  req.param('id');
  // @ts-expect-error removed: req.acceptsCharsets()
  req.acceptsCharset('utf-8');
  // @ts-expect-error removed: req.acceptsEncodings()
  req.acceptsEncoding('br');
  // @ts-expect-error removed: req.acceptsLanguages()
  req.acceptsLanguage('en');
  // @ts-expect-error it can't be assigned
  req.query = {};
  // @ts-expect-error removed: res.status(200).send(body)
  res.send(200, 'body');
  // @ts-expect-error removed: res.status(200).json(body)
  res.json(200, {});
  // @ts-expect-error removed: res.status(200).jsonp(body)
  res.jsonp({}, 200);
  // @ts-expect-error removed: the status comes first
  res.redirect('/', 301);
  // @ts-expect-error removed: res.sendFile()
  res.sendfile('x');
  // @ts-expect-error a field has to be named
  res.vary();
  // @ts-expect-error a status is a number
  res.status('200');
});

// @ts-expect-error a wildcard is a list
app.get('/*rest', (req, res) => void res.send(req.params.rest.toUpperCase()));
// @ts-expect-error it may be missing
app.get('/a{/:tab}', (req, res) => void res.send(req.params.tab.length));
