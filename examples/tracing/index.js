/** Spans and metrics for every request, labelled with the matched pattern (OpenTelemetry, prom-client). */
'use strict';
const { trace } = require('@opentelemetry/api');
const {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} = require('@opentelemetry/sdk-trace-base');
const web = require('ristretto');
const { startMetrics, startTracing } = require('./telemetry.js');

// A real service sends its spans to a collector, with the exporter and the provider of @opentelemetry/sdk-node.
const exporter = new InMemorySpanExporter();
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
);
startTracing();
const registry = startMetrics();

const app = web();
const api = web.Router();

api.get('/users/:id', async function loadUser(req, res) {
  // a custom span: its parent is the span of the handler
  const span = trace.getTracer('example').startSpan('query users');
  const user = await Promise.resolve({ id: req.params.id });
  span.end();
  res.json(user);
});
api.get('/broken', function breaks() {
  throw new Error('out of order');
});
app.use('/api', api);

app.get('/metrics', async (req, res) => {
  res.type(registry.contentType).send(await registry.metrics());
});

module.exports = { app, exporter };
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/metrics`));
}
