import morgan from 'morgan';
import type { FormatFn } from 'morgan';
import express from 'express';

const { compile, token } = morgan;
const compiled: FormatFn = compile(':url');
token('id', req => req.headers['x-id'] as string);
express().use(morgan('dev'), morgan(compiled));
