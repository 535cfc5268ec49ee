import cookieParser from 'cookie-parser';
import express from 'express';

const app = express();
app.use(cookieParser('a'));
app.get('/', (req, res) => void res.json([req.cookies, req.signedCookies]));
export const value = cookieParser.signedCookie('s:a.b', 'a');
