import helmet, { contentSecurityPolicy, type HelmetOptions } from 'helmet';
import * as all from 'helmet';
import express from 'express';

const options: HelmetOptions = { xssFilter: false };
express().use(helmet(options), contentSecurityPolicy(), helmet.noSniff(), all.ieNoOpen(), all.default());
