/** A gallery of uploaded pictures. */
var express = require('ristretto3');
var fs = require('fs');
var os = require('os');
var path = require('path');

var app = (module.exports = express());
var uploads = fs.mkdtempSync(path.join(os.tmpdir(), 'gallery-'));
var allowed = { '.png': 'image/png', '.jpg': 'image/jpeg', '.gif': 'image/gif' };

app.set('uploads', uploads);

app.configure(function () {
  app.set('views', path.join(__dirname, 'views'));
  app.set('view engine', 'ejs');
  app.use(express.favicon());
  app.use(express.limit('1mb'));
  app.use(express.bodyParser({ uploadDir: uploads, keepExtensions: true }));
  app.use(express.static(path.join(__dirname, 'public'), { maxAge: 60000 }));
  app.use(app.router);
  app.use('/raw', express.directory(uploads));
  app.use('/raw', express.static(uploads));
});

function pictures() {
  return fs.readdirSync(uploads).sort();
}

app.param('picture', function (req, res, next, name) {
  if (pictures().indexOf(name) < 0) return next('route');
  req.picture = name;
  next();
});

app.get('/', function (req, res) {
  res.render('index', { pictures: pictures() });
});

app.post('/', function (req, res, next) {
  var file = req.files && req.files.picture;
  if (!file || !file.size) return res.send(400, 'Choose a picture.');
  var extension = path.extname(file.name).toLowerCase();
  if (!Object.prototype.hasOwnProperty.call(allowed, extension)) {
    return fs.unlink(file.path, function (err) {
      if (err) return next(err);
      res.send(415, 'That is no picture.');
    });
  }
  res.redirect('/pictures/' + path.basename(file.path));
});

app.get('/pictures/:picture', function (req, res) {
  res.sendfile(req.picture, { root: uploads, maxAge: 1000 });
});

app.get('/pictures/:picture/download', function (req, res, next) {
  res.download(path.join(uploads, req.picture), 'picture' + path.extname(req.picture), function (err) {
    if (err) next(err);
  });
});

app.get('/pictures/*', function (req, res) {
  res.send(404, 'There is no picture ' + JSON.stringify(req.params[0].replace(/[<>&]/g, '')));
});

if (require.main === module) {
  app.listen(process.env.PORT || 3000, function () {
    console.log('http://localhost:%d', this.address().port);
  });
}
