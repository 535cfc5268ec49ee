/** The main program as an ES module, which imports the framework's members by name. */
import './environment.cjs';
import web, { application, json, request, response, Route, Router } from 'ristretto';
import { makeApplication } from './application.cjs';
import { serve } from '../serve.cjs';

serve(makeApplication({ Router, Route, json, request, response, application }), web.stopOnSignals);
