import compression from 'compression';
import express from 'express';

express().use(compression({ filter: compression.filter }));
