/** The Agent2Agent SDK's handlers for Express: an agent over JSON-RPC and REST, in both versions of the protocol. */
'use strict';
const assert = require('node:assert/strict');

module.exports = {
  packages: ['@a2a-js/sdk'],
  exercised:
    'agentCardHandler with entity tags and versions, jsonRpcHandler and restHandler mounted below paths, with tenants in paths, escaped colons behind parameters, event streams, cancellation, listing, configurations of push notifications, users of requests, the older protocol beside the newer one, wrong content types, malformed bodies and errors of the agent; its own client',
  express: [5],

  async run({ listen, request }) {
    const express = require('express');
    const { client, without } = require('../frameworks/support/client.cjs');
    const app = express();
    const server = await listen(app);
    mount(app, `http://127.0.0.1:${server.address().port}`);
    const plain = client(request, server);
    // Generated ids, times, the port, and entity tags of texts that contain them
    const see = async (...args) =>
      without(
        await plain(...args),
        /[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=127\.0\.0\.1:)\d+|(?<=W\/\\")[\da-f]+|(?<=nextPageToken\\":\\")[\w=]+/g,
      );
    return {
      card: await cards(see, plain),
      rpc: await overJsonRpc(see),
      rest: await overRest(see, plain),
      old: await oldProtocol(see),
      driven: await drivenByItsClient(server.address().port),
    };
  },
};

/** Mounts all handlers that the SDK has for Express. */
function mount(app, url) {
  const { agentCardHandler, jsonRpcHandler, restHandler } = require('@a2a-js/sdk/server/express');
  const {
    DefaultRequestHandler,
    InMemoryPushNotificationStore,
    InMemoryTaskStore,
  } = require('@a2a-js/sdk/server');
  const { AgentCard } = require('@a2a-js/sdk');
  const at = (path, protocolBinding, protocolVersion) => ({
    url: url + path,
    protocolBinding,
    protocolVersion,
  });
  const card = AgentCard.fromJSON({
    name: 'Echo',
    description: 'Says it again',
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
    skills: [{ id: 'echo', name: 'echo', description: 'says it again', tags: ['text'] }],
    supportedInterfaces: [
      at('/rpc', 'JSONRPC', '1.0'),
      at('/rest', 'HTTP+JSON', '1.0'),
      at('/rpc', 'JSONRPC', '0.3'),
      at('/rest', 'HTTP+JSON', '0.3'),
    ],
  });
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    echo(),
    undefined,
    new InMemoryPushNotificationStore(),
  );
  const userBuilder = async req => {
    if (req.get('x-user') === 'broken') throw new Error('no such user');
    return { isAuthenticated: req.get('x-user') !== undefined, userName: req.get('x-user') ?? '' };
  };
  const legacyCompat = { enabled: true };
  const options = { requestHandler, userBuilder, legacyCompat };
  app.use(
    '/.well-known/agent-card.json',
    agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }),
  );
  app.use('/new/card', agentCardHandler({ agentCardProvider: async () => card, cache: { maxAge: 0 } }));
  app.use(
    '/broken/card',
    agentCardHandler({ agentCardProvider: () => Promise.reject(new Error('no card')) }),
  );
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/new/rpc', jsonRpcHandler({ requestHandler, userBuilder }));
  app.use('/rest', restHandler(options));
  app.use((req, res) => res.status(404).send(`nothing at ${req.originalUrl}`));
}

/** An agent that repeats its message as a task; `wait` continues until it is cancelled, `fail` throws. */
function echo() {
  const { AgentEvent } = require('@a2a-js/sdk/server');
  const { TaskState } = require('@a2a-js/sdk');
  const status = (state, more) => ({
    state,
    timestamp: new Date().toISOString(),
    message: undefined,
    ...more,
  });
  return {
    async execute({ request, taskId, contextId }, bus) {
      const text = request.message.parts[0]?.content?.value;
      if (text === 'fail') throw new Error('the agent failed');
      const task = { id: taskId, contextId, artifacts: [], history: [request.message], metadata: {} };
      const update = (state, more) =>
        AgentEvent.statusUpdate({ taskId, contextId, status: status(state, more) });
      bus.publish(AgentEvent.task({ ...task, status: status(TaskState.TASK_STATE_SUBMITTED) }));
      bus.publish(update(TaskState.TASK_STATE_WORKING));
      if (text === 'wait') return;
      const part = {
        content: { $case: 'text', value: `again: ${text}` },
        metadata: {},
        filename: '',
        mediaType: '',
      };
      const artifact = { artifactId: 'said', name: 'said', description: '', parts: [part], extensions: [] };
      bus.publish(AgentEvent.artifactUpdate({ taskId, contextId, artifact, append: false, lastChunk: true }));
      bus.publish(update(TaskState.TASK_STATE_COMPLETED));
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      const cancelled = { taskId, contextId: '', status: status(TaskState.TASK_STATE_CANCELED) };
      bus.publish(AgentEvent.statusUpdate(cancelled));
      bus.finished();
    },
  };
}

const message = (text, more) => ({
  messageId: `said-${text}`,
  role: 'ROLE_USER',
  parts: [{ text }],
  ...more,
});
const NEW = { 'A2A-Version': '1.0' };

async function cards(see, plain) {
  const path = 'GET /.well-known/agent-card.json';
  const first = await plain(path, { headers: NEW });
  const tag = first.headers.find(line => line.startsWith('ETag: ')).slice('ETag: '.length);
  const record = {
    new: await see(path, { headers: NEW }),
    old: await see(path),
    unchanged: await see(path, { headers: { ...NEW, 'If-None-Match': tag } }),
    changed: await see(path, { headers: { ...NEW, 'If-None-Match': 'W/"other"' } }),
    head: await see('HEAD /.well-known/agent-card.json', { headers: NEW }),
    uncached: await see('GET /new/card/'),
    broken: await see('GET /broken/card'),
    wrongMethod: await see('POST /.well-known/agent-card.json', { json: {} }),
  };
  assert.match(record.new.body, /"name":"Echo"/);
  assert.match(record.old.body, /"protocolVersion"/);
  assert.deepEqual(
    [record.unchanged.status, record.broken.status, record.wrongMethod.status],
    [304, 500, 404],
  );
  return record;
}

async function overJsonRpc(see) {
  const call = (method, params, headers = NEW, path = '/rpc') =>
    see(`POST ${path}`, { json: { jsonrpc: '2.0', id: 1, method, params }, headers });
  const post = (body, type) => see('POST /rpc', { body, headers: { ...NEW, 'Content-Type': type } });
  const record = {
    sent: await call('SendMessage', { message: message('hi') }),
    streamed: await call('SendStreamingMessage', { message: message('stream') }),
    failed: await call('SendMessage', { message: message('fail') }),
    missing: await call('GetTask', { id: 'none' }),
    resumed: await call('SubscribeToTask', { id: 'none' }),
    brokenUser: await call('SendMessage', { message: message('hi') }, { ...NEW, 'X-User': 'broken' }),
    wrongVersion: await call('GetTask', { id: 'none' }, { 'A2A-Version': '7.0' }),
    unknown: await call('Nothing', {}),
    oldRefused: await call('message/send', {}, {}, '/new/rpc'),
    malformed: await post('{"jsonrpc":', 'application/json'),
    wrongType: await post('a=1', 'application/x-www-form-urlencoded'),
    noType: await see('POST /rpc', { headers: NEW }),
    charset: await post('{}', 'application/json; charset=utf-8'),
    wrongMethod: await see('GET /rpc'),
    deeper: await see('POST /rpc/deeper', { json: {}, headers: NEW }),
  };
  assert.match(record.sent.body, /again: hi/);
  assert.match(record.streamed.body, /^data: .*again: stream/s);
  assert.equal(record.brokenUser.status, 500);
  assert.equal(record.wrongMethod.status, 404);
  return record;
}

async function overRest(see, plain) {
  const send = (line, json, headers = NEW) => see(line, { json, headers });
  const get = line => see(line, { headers: NEW });
  const waiting = { message: message('wait'), configuration: { returnImmediately: true } };
  const started = await plain('POST /rest/message:send', { json: waiting, headers: NEW });
  const path = `/rest/tasks/${JSON.parse(started.body).task.id}`;
  const config = { id: 'c1', url: 'http://127.0.0.1:1/hook', token: 't' };
  const record = {
    started: started.status,
    sent: await send('POST /rest/message:send', { message: message('hi') }),
    tenant: await send('POST /rest/a%20tenant/message:send', { message: message('hi') }),
    streamed: await send('POST /rest/message:stream', { message: message('stream') }),
    streamedForTenant: await send('POST /rest/acme/message:stream', { message: message('stream') }),
    failed: await send('POST /rest/message:stream', { message: message('fail') }),
    all: await get('GET /rest/tasks?pageSize=2&includeArtifacts=true'),
    allForTenant: await get('GET /rest/acme/tasks?status=TASK_STATE_COMPLETED&tenant=other'),
    badPage: await get('GET /rest/tasks?pageSize=many'),
    twice: await get('GET /rest/tasks?pageSize=1&pageSize=2'),
    one: await get(`GET ${path}?historyLength=1`),
    badLength: await get(`GET ${path}?historyLength=-1`),
    encoded: await get('GET /rest/tasks/a%2Fb%3Acancel'),
    undecodable: await get('GET /rest/tasks/%zz'),
    missing: await get('GET /rest/tasks/none'),
    subscribed: await get('GET /rest/tasks/none:subscribe'),
    subscribedByPost: await send('POST /rest/tasks/none:subscribe', {}),
    emptyName: await send('POST /rest/tasks/:cancel', {}),
    configured: await send(`POST ${path}/pushNotificationConfigs`, config),
    configs: await get(`GET ${path}/pushNotificationConfigs`),
    config: await get(`GET ${path}/pushNotificationConfigs/c1`),
    removed: await get(`DELETE ${path}/pushNotificationConfigs/c1`),
    cancelled: await send(`POST ${path}:cancel`, {}),
    cancelledAgain: await send(`POST ${path}:cancel`, {}),
    afterwards: await get(`GET ${path}:subscribe`),
    extended: await get('GET /rest/extendedAgentCard'),
    otherType: await see('POST /rest/message:send', {
      body: JSON.stringify({ message: message('typed') }),
      headers: { ...NEW, 'Content-Type': 'application/a2a+json' },
    }),
    wrongType: await see('POST /rest/message:send', { form: { a: 1 }, headers: NEW }),
    malformed: await see('POST /rest/message:send', {
      body: '{',
      headers: { ...NEW, 'Content-Type': 'application/json' },
    }),
    primitive: await see('POST /rest/message:send', {
      body: 'null',
      headers: { ...NEW, 'Content-Type': 'application/json' },
    }),
    empty: await see('POST /rest/message:send', { headers: NEW }),
    brokenUser: await send(
      'POST /rest/message:send',
      { message: message('hi') },
      { ...NEW, 'X-User': 'broken' },
    ),
    options: await get('OPTIONS /rest/tasks'),
    unescaped: await get('GET /rest/message%3Asend'),
    nothing: await get('GET /rest/nothing/at/all/here'),
  };
  assert.match(record.sent.body, /again: hi/);
  assert.match(record.tenant.body, /again: hi/);
  assert.match(record.streamed.body, /^data: .*again: stream/s);
  assert.match(record.all.body, /"tasks":\[/);
  assert.match(record.cancelled.body, /TASK_STATE_CANCELED/);
  assert.match(record.config.body, /"id":"c1"/);
  assert.deepEqual([record.badPage.status, record.one.status, record.malformed.status], [400, 200, 400]);
  return record;
}

async function oldProtocol(see) {
  const old = { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
  const rpc = (method, params) => see('POST /rpc', { json: { jsonrpc: '2.0', id: 'x', method, params } });
  const said = { message: { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'hi' }] } };
  const record = {
    sent: await rpc('message/send', { message: old }),
    streamed: await rpc('message/stream', { message: old }),
    missing: await rpc('tasks/get', { id: 'none' }),
    resumed: await rpc('tasks/resubscribe', { id: 'none' }),
    restCard: await see('GET /rest/v1/card'),
    restSent: await see('POST /rest/v1/message:send', { json: said }),
    restStreamed: await see('POST /rest/v1/message:stream', { json: said }),
    restTask: await see('GET /rest/v1/tasks/none?history_length=2'),
    restCancel: await see('POST /rest/v1/tasks/none:cancel', {
      body: 'null',
      headers: { 'Content-Type': 'application/json' },
    }),
    notForNew: await see('GET /rest/v1/tasks/none', { headers: NEW }),
  };
  assert.match(record.sent.body, /again: hi/);
  assert.match(record.streamed.body, /^data: /);
  assert.equal(record.restTask.status, 404);
  return record;
}

/** The SDK's client: finds the card, chooses a transport, sends and streams. */
async function drivenByItsClient(port) {
  const { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } = require('@a2a-js/sdk/client');
  const { SendMessageRequest } = require('@a2a-js/sdk');
  const record = {};
  for (const Transport of [JsonRpcTransportFactory, RestTransportFactory]) {
    const factory = new ClientFactory({ transports: [new Transport()] });
    const agent = await factory.createFromUrl(`http://127.0.0.1:${port}`);
    const kinds = [];
    for await (const event of agent.sendMessageStream(
      SendMessageRequest.fromJSON({ message: message('streamed') }),
    )) {
      kinds.push(event.payload?.$case ?? event.kind);
    }
    const task = await agent.sendMessage(SendMessageRequest.fromJSON({ message: message('hi') }));
    assert.match(JSON.stringify(task), /again: hi/);
    record[Transport.name] = { kinds, keys: Object.keys(task) };
  }
  return record;
}
