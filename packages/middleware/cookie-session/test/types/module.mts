import cookieSession from 'cookie-session';
import express from 'express';

const app = express();
app.use(cookieSession({ keys: ['a'] }));
app.get('/', (req, res) => void res.json(req.session?.user));
