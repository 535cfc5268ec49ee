/** A board where visitors leave messages; /admin is a separate application, protected by a password. */
var express = require('ristretto3');
var path = require('path');

var app = (module.exports = express());
var admin = express();
var messages = [];
var nextId = 0;

app.configure(function () {
  app.set('views', path.join(__dirname, 'views'));
  app.set('view engine', 'ejs');
  app.set('jsonp callback name', 'cb');
  app.use(express.responseTime());
  app.use(express.compress());
  app.use(express.json());
  app.use(express.urlencoded());
  app.use(express.cookieParser('keyboard cat'));
  app.use(express.cookieSession({ key: 'board' }));
  app.use('/admin', express.basicAuth('admin', 'secret'));
  app.use('/admin', admin);
});

app.all('/messages*', function (req, res, next) {
  res.set('Cache-Control', 'no-store');
  next();
});

app.get('/', function (req, res) {
  res.render('board', { messages: messages, name: req.session.name || '' });
});

app.get('/messages.:format(json|txt)?', function (req, res) {
  var since = Number(req.param('since', -1));
  var found = messages.filter(function (message) {
    return message.id > since;
  });
  if (req.params.format !== 'txt') return res.jsonp(found);
  res.charset = 'utf-8';
  res.type('txt');
  res.end(
    found
      .map(function (message) {
        return message.name + ': ' + message.text;
      })
      .join('\n'),
  );
});

app.post('/messages', function (req, res) {
  var text = String(req.body.text || '').trim();
  if (!text) return res.send(400, { error: 'a message needs text' });
  var name = String(req.body.name || req.session.name || 'anonymous');
  req.session.name = name;
  messages.push({ id: nextId++, name: name, text: text });
  if (req.is('json')) return res.json(201, messages[messages.length - 1]);
  res.redirect('/');
});

app.get('/forget', function (req, res) {
  req.session = null;
  res.redirect('back');
});

admin.set('views', path.join(__dirname, 'views'));
admin.set('view engine', 'ejs');

admin.get('/', function (req, res) {
  res.render('admin', { messages: messages, user: req.user, path: admin.path() });
});

// This is relative to the mount path: /admin, wherever that is mounted.
admin.post('/messages/:id/delete', function (req, res) {
  messages = messages.filter(function (message) {
    return String(message.id) !== req.params.id;
  });
  res.redirect('.?deleted=' + encodeURIComponent(req.params.id));
});

admin.post('/close', function (req, res) {
  // the route is removed: no one can post any more
  app.routes.post = app.routes.post.filter(function (route) {
    return route.path !== '/messages';
  });
  res.redirect('closed');
});

admin.get('/closed', function (req, res) {
  res.send(200, 'The board is closed.');
});

if (require.main === module) {
  app.listen(process.env.PORT || 3000, function () {
    console.log('http://localhost:%d', this.address().port);
  });
}
