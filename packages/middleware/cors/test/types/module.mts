import cors from 'cors';
import type { CorsOptions, CorsRequest } from 'cors';
import express from 'express';

const options: CorsOptions = { origin: ['a'] };
const general: cors.CorsOptionsDelegate = (_req: CorsRequest, callback) => callback(null, options);
express().use(cors(options), cors(general));
