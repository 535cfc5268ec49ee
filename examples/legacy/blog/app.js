/** A blog with a login: everyone can read posts, and logged-in users can write them. */
var express = require('ristretto3');
var crypto = require('crypto');
var path = require('path');

var app = (module.exports = express());

var users = { ada: { name: 'ada', salt: 'lovelace', hash: hash('engine', 'lovelace') } };
var posts = [{ id: 0, title: 'First post', body: 'Hello & welcome', author: 'ada' }];

app.locals({ title: 'The blog', year: 2013 });

app.configure(function () {
  app.set('views', path.join(__dirname, 'views'));
  app.set('view engine', 'ejs');
  app.use(express.urlencoded());
  app.use(express.methodOverride());
  app.use(express.cookieParser('shhhh, very secret'));
  app.use(express.session({ key: 'blog.sid' }));
  app.use(express.csrf());
  app.use(function (req, res, next) {
    var message = req.session.message;
    delete req.session.message;
    res.locals({ user: req.session.user, message: message, token: req.csrfToken() });
    next();
  });
  app.use(app.router);
});

app.configure('development', function () {
  app.use(express.errorHandler());
});

app.configure('production', 'test', function () {
  app.use(function (err, req, res, next) {
    res.render('error', { status: err.status || 500 }, function (failure, html) {
      res.send(err.status || 500, failure ? 'Error' : html);
    });
  });
});

function hash(password, salt) {
  return crypto.pbkdf2Sync(password, salt, 1000, 32, 'sha256').toString('base64');
}

function authenticate(name, password, fn) {
  var user = Object.prototype.hasOwnProperty.call(users, name) && users[name];
  if (user && hash(String(password), user.salt) === user.hash) return fn(null, user);
  fn(new Error('wrong name or password'));
}

function restrict(req, res, next) {
  if (req.session.user) return next();
  req.session.message = 'Please log in first.';
  res.redirect('/login');
}

app.param('post', function (req, res, next, id) {
  req.post = posts.filter(function (post) {
    return String(post.id) === id;
  })[0];
  if (req.post) return next();
  var err = new Error('no such post');
  err.status = 404;
  next(err);
});

app.get('/', function (req, res) {
  res.format({
    html: function () {
      res.render('index', { posts: posts });
    },
    json: function () {
      res.json(posts);
    },
  });
});

app.get('/login', function (req, res) {
  res.render('login');
});

app.post('/login', function (req, res) {
  authenticate(req.body.name, req.body.password, function (err, user) {
    if (err) {
      req.session.message = 'Login failed.';
      return res.redirect('back');
    }
    // a new session, so that anyone who knew the old id is not logged in
    req.session.regenerate(function () {
      req.session.user = user.name;
      req.session.message = 'Welcome, ' + user.name + '.';
      res.redirect('/');
    });
  });
});

app.post('/logout', function (req, res) {
  req.session.destroy(function () {
    res.redirect('/');
  });
});

app.get('/posts/new', restrict, function (req, res) {
  res.render('edit', { post: { title: '', body: '' } });
});

app.post('/posts', restrict, function (req, res) {
  if (!req.body.title) return res.send(400, 'A post needs a title.');
  posts.push({ id: posts.length, title: req.body.title, body: req.body.body, author: req.session.user });
  res.redirect('/posts/' + (posts.length - 1));
});

app.get('/posts/:post', function (req, res) {
  res.render('post', { post: req.post });
});

app.del('/posts/:post', restrict, function (req, res) {
  posts.splice(posts.indexOf(req.post), 1);
  res.redirect('/');
});

if (require.main === module) {
  app.listen(process.env.PORT || 3000, function () {
    console.log('http://localhost:%d', this.address().port);
  });
}
