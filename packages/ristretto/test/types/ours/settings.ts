/** Known settings, and others. */
import web from 'ristretto';

const app = web();
app
  .set('case sensitive routing', true)
  .set('env', 'production')
  .set('etag', 'strong')
  .set('etag', false)
  .set('etag', (body: Buffer | string) => `"${body.length}"`)
  .set('jsonp callback name', 'cb')
  .set('json escape', true)
  .set('json replacer', (key, value) => (key === 'secret' ? undefined : value))
  .set('json replacer', ['id', 'name'])
  .set('json spaces', 2)
  .set('json spaces', '\t')
  .set('query parser', 'simple')
  .set('query parser', false)
  .set('query parser', (text: string) => new URLSearchParams(text))
  .set('strict routing', undefined)
  .set('subdomain offset', 3)
  .set('trust proxy', true)
  .set('trust proxy', 1)
  .set('trust proxy', 'loopback, 10.0.0.0/8')
  .set('trust proxy', ['loopback'])
  .set('trust proxy', (address, hop) => address === '127.0.0.1' && hop < 2)
  .set('views', ['a', 'b'])
  .set('view cache', true)
  .set('view engine', 'ejs')
  .set('x-powered-by', false)
  .set('anything', { else: 1 });

// @ts-expect-error it is a switch
app.set('x-powered-by', 'no');
// @ts-expect-error no such kind of tag
app.set('etag', 'medium');
// @ts-expect-error no such parser
app.set('query parser', 'fast');
// @ts-expect-error it is a number
app.set('subdomain offset', '2');
// @ts-expect-error no way to trust
app.set('trust proxy', { all: true });
// @ts-expect-error directories are text
app.set('views', 1);
// @ts-expect-error it is no switch
app.enable('views');
// @ts-expect-error it is no switch
app.disable('env');

// Names of several words that differ slightly from a known one.
// @ts-expect-error two letters are swapped
app.set('veiw engine', 'pug');
// @ts-expect-error a letter is missing
app.set('view engin', 'pug');
// @ts-expect-error a letter too many
app.set('view engines', 'pug');
// @ts-expect-error another letter
app.set('view-engine', 'pug');
// @ts-expect-error no space, and a capital letter
app.set('viewEngine', 'pug');
// @ts-expect-error capital letters
app.set('X-Powered-By', false);
// @ts-expect-error another letter
app.enable('trust proxi');
// @ts-expect-error a letter is missing
app.disable('x-powerd-by');
// Names that the program defines.
app.set('title', 'x').set('tag', 1).set('envs', 1).set('strict https', true).set('port', 3000);
app
  .set('trust my proxy', 1)
  .set('view options', {})
  .set('view', class {})
  .set('json limit', 1);
app.set('trust proxy fn', 1).set('view engine 2', 1).set('views path', 1).set('x', 1).set('', 1);

app.enable('trust proxy').enable('view cache').disable('etag').enable('feature x');
const on: boolean = app.enabled('etag') && app.disabled('feature x');
const environment: string = app.get('env');
const offset: number = app.get('subdomain offset');
// @ts-expect-error the environment is text
const wrong: number = app.get('env');
// settings of several kinds, and unknown ones, are read as the type that the program expects
const views: string = app.get('views');
const views2: string[] = app.get('views');
const title: { text: string } = app.get('title');
const old: unknown = app.set('env');

declare const name: string;
app.set(name, 1).enable(name).disable(name);
app.get(name).anything;
export { on, environment, offset, wrong, views, views2, title, old };
