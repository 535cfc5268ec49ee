const request = require('supertest');
const app = require('../app');

const signIn = (agent, password) =>
  agent.post('/login/password').type('form').send({ username: 'alice', password });

describe('application', () => {
  it('renders the front page', () =>
    request(app)
      .get('/')
      .expect(200, /Signed out/));
  it('has a page for missing paths', () =>
    request(app)
      .get('/nowhere')
      .expect(404, /Not Found/));
  it('keeps strangers out', () => request(app).get('/private').expect(302).expect('Location', '/login'));

  it('signs in and out', async () => {
    const agent = request.agent(app);
    await signIn(agent, 'letmein').expect(302).expect('Location', '/');
    await agent.get('/private').expect(200, { user: 'alice' });
    await agent.post('/logout').expect(302);
    await agent.get('/private').expect(302);
  });

  it('says that the password is wrong', async () => {
    const agent = request.agent(app);
    await signIn(agent, 'wrong').expect(302).expect('Location', '/login');
    await agent.get('/login').expect(200, /Incorrect username or password/);
  });

  it('goes back', () => request(app).get('/back').set('Referer', '/login').expect('Location', '/login'));
});
