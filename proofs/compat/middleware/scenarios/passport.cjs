/** passport with passport-local in sessions and passport-jwt without sessions. */
'use strict';

const assert = require('node:assert/strict');
const { cookies, statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['passport', 'passport-local', 'passport-jwt', 'jsonwebtoken', 'express-session'],
  exercised:
    'login in a session, req.login, req.logout, serializeUser, isAuthenticated, successRedirect, failureRedirect, failureMessage, authInfo, keepSessionInfo, custom callbacks, tokens from header, query and cookie, several strategies, failWithError, errors and exceptions of strategies, authorize, session fixation',
  override: true,
  http2: true,

  async run({ listen, request, note }) {
    const express = require('express');
    const session = require('express-session');
    const { Passport } = require('passport');
    const { Strategy: LocalStrategy } = require('passport-local');
    const { Strategy: JwtStrategy, ExtractJwt } = require('passport-jwt');
    const jwt = require('jsonwebtoken');
    const passport = new Passport();
    const users = { ada: { id: 1, name: 'ada', password: 'x' }, eve: { id: 2, name: 'eve', password: 'y' } };
    passport.use(
      new LocalStrategy({ usernameField: 'name', passReqToCallback: true }, (req, name, password, done) => {
        if (name === 'broken') return done(Object.assign(new Error('directory is down'), { status: 503 }));
        const user = users[name];
        if (!user) return done(null, false, { message: `no ${name} at ${req.path}` });
        if (user.password !== password)
          return done(null, false, { message: 'wrong password', type: 'warning' });
        done(null, user, { scope: 'all' });
      }),
    );
    const jwtFromRequest = ExtractJwt.fromExtractors([
      ExtractJwt.fromAuthHeaderAsBearerToken(),
      ExtractJwt.fromUrlQueryParameter('token'),
      ExtractJwt.fromBodyField('token'),
      ExtractJwt.fromHeader('x-token'),
    ]);
    const options = { jwtFromRequest, secretOrKey: 'key', issuer: 'me', algorithms: ['HS256'] };
    passport.use(
      new JwtStrategy(options, async (payload, done) =>
        done(null, payload.sub === 'ada' && users.ada, { via: 'token' }),
      ),
    );
    passport.serializeUser((user, done) => done(null, user.id));
    passport.deserializeUser((id, done) =>
      done(null, Object.values(users).find(user => user.id === id) ?? false),
    );

    const app = express();
    let made = 0;
    app.use(express.urlencoded({ extended: false }), express.json());
    app.use(session({ secret: 's', resave: false, saveUninitialized: false, genid: () => `id${++made}` }));
    app.use(passport.initialize(), passport.session());
    app.post(
      '/login',
      passport.authenticate('local', {
        successRedirect: '/me',
        failureRedirect: '/login',
        failureMessage: true,
      }),
    );
    app.post('/json', passport.authenticate('local'), (req, res) =>
      res.json({ user: req.user.name, info: req.authInfo }),
    );
    app.post('/error', passport.authenticate('local', { failWithError: true }), (req, res) => res.send('in'));
    app.post('/custom', (req, res, next) =>
      passport.authenticate('local', (err, user, info, status) => {
        if (err) return next(err);
        if (!user) return res.status(422).json({ info, status });
        req.login(user, { keepSessionInfo: true }, failed =>
          failed ? next(failed) : res.json({ id: req.sessionID, in: req.isAuthenticated() }),
        );
      })(req, res, next),
    );
    app.get('/me', (req, res) =>
      res.json({
        in: req.isAuthenticated(),
        out: req.isUnauthenticated(),
        user: req.user?.name,
        messages: req.session.messages,
      }),
    );
    app.post('/logout', (req, res, next) => req.logout(err => (err ? next(err) : res.redirect('/me'))));
    const token = passport.authenticate('jwt', { session: false });
    const api = express.Router();
    api.use(token);
    api.all('/:what', (req, res) =>
      res.json({ user: req.user.name, info: req.authInfo, what: req.params.what }),
    );
    app.use('/api', api);
    app.post('/either', passport.authenticate(['jwt', 'local'], { session: false }), (req, res) =>
      res.send(req.user.name),
    );
    app.get('/connect', passport.authorize('jwt', { session: false }), (req, res) =>
      res.json({ account: req.account.name, user: req.user?.name }),
    );
    app.get('/unknown', passport.authenticate('nobody'));
    app.use((err, req, res, next) => {
      note('error', err.name, err.message, err.status);
      if (res.headersSent) return next(err);
      res.status(err.status ?? 500).send(err.message);
    });
    const server = await listen(app);
    const login = (name, password) => ({ form: { name, password } });
    const out = await visit(request, server, [
      'GET /me',
      ['POST /login', login('ada', 'wrong')],
      ['POST /login', login('nobody', 'x')],
      ['POST /login', { form: {} }],
      ['POST /json', login('ada', 'x')],
      ['POST /json', login('ada', 'y')],
      ['POST /json', login('broken', 'y')],
      ['POST /error', login('ada', 'y')],
      ['POST /custom', login('ada', 'y')],
      ['POST /custom', login('broken', 'x')],
      'GET /unknown',
    ]);
    const [custom, failed, entered] = await visit(request, server, [
      ['POST /custom', login('eve', 'y')],
      ['POST /login', login('ada', 'wrong')],
      ['POST /login', login('ada', 'x')],
    ]);
    const headers = cookies(entered);
    const inside = await visit(request, server, [
      ['GET /me', { headers }],
      ['GET /me', { headers: cookies(failed) }],
      ['POST /custom', { ...login('eve', 'y'), headers }],
      ['GET /me', { headers }],
      ['POST /logout', { headers }],
      ['GET /me', { headers }],
    ]);
    assert.deepEqual(statuses(out), [200, 302, 302, 302, 200, 401, 503, 401, 422, 503, 500]);
    assert.equal(JSON.parse(inside[0].body).user, 'ada');
    assert.equal(JSON.parse(inside[5].body).in, false);
    const sign = (sub, more) =>
      jwt.sign({ sub, iat: 1_700_000_000 }, more?.key ?? 'key', {
        issuer: 'me',
        noTimestamp: false,
        ...more?.options,
      });
    const good = sign('ada');
    const bearer = value => ({ headers: { Authorization: `Bearer ${value}` } });
    const tokens = await visit(request, server, [
      ['GET /api/x', bearer(good)],
      `GET /api/y?token=${good}`,
      ['POST /api/z', { json: { token: good } }],
      ['GET /api/x', { headers: { 'X-Token': good } }],
      ['GET /api/x', bearer(sign('eve'))],
      ['GET /api/x', bearer(sign('ada', { key: 'other' }))],
      ['GET /api/x', bearer(sign('ada', { options: { issuer: 'you' } }))],
      ['GET /api/x', bearer(sign('ada', { options: { expiresIn: 1 } }))],
      ['GET /api/x', bearer('nonsense')],
      'GET /api/x',
      ['POST /either', login('eve', 'y')],
      ['POST /either', { ...login('eve', 'wrong'), ...bearer(good) }],
      ['POST /either', login('eve', 'wrong')],
      ['GET /connect', bearer(good)],
    ]);
    assert.deepEqual(
      statuses(tokens),
      [200, 200, 200, 200, 401, 401, 401, 401, 401, 401, 200, 200, 401, 200],
    );
    return { out, custom, failed, entered, inside, tokens };
  },
};
