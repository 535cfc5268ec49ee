/** Slack's Bolt with its Express receiver: events, commands and actions, without Slack itself. */
'use strict';
const assert = require('node:assert/strict');
const { createHmac } = require('node:crypto');

module.exports = {
  packages: ['@slack/bolt'],
  exercised:
    'ExpressReceiver with a router of its own and in an application: URL verification, SSL checks, signatures, slash commands, events, actions, answers that come late or never, routes beside it',
  express: [5],

  async run({ listen, request }) {
    const express = require('express');
    const { App, ExpressReceiver, LogLevel } = require('@slack/bolt');
    const { client } = require('../frameworks/support/client.cjs');
    const receiver = new ExpressReceiver({
      signingSecret: 'secret',
      logLevel: LogLevel.ERROR,
      unhandledRequestTimeoutMillis: 100,
      app: express().set('env', 'test'),
    });
    const authorize = async () => ({ botToken: 'xoxb', botId: 'B1', botUserId: 'U1' });
    const bolt = new App({ receiver, authorize, logLevel: LogLevel.ERROR });
    const events = [];
    bolt.command('/hello', async ({ ack, command }) => ack(`hello ${command.text}`));
    bolt.command('/broken', async () => {
      throw new Error('this command is broken');
    });
    bolt.event('app_mention', async ({ event }) => void events.push(event.text));
    bolt.action('button', async ({ ack, payload }) => {
      events.push(payload.value);
      await ack();
    });
    receiver.router.get('/own/:name', (req, res) => res.json(req.params));
    const see = client(request, await listen(receiver.app));

    const send = (body, type, signed = body) => {
      const time = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', 'secret').update(`v0:${time}:${signed}`).digest('hex');
      return see('POST /slack/events', {
        body,
        headers: {
          'Content-Type': type,
          'X-Slack-Request-Timestamp': time,
          'X-Slack-Signature': `v0=${signature}`,
        },
      });
    };
    const form = fields => send(String(new URLSearchParams(fields)), 'application/x-www-form-urlencoded');
    const json = value => send(JSON.stringify(value), 'application/json');
    const team = { team_id: 'T1', user_id: 'U2', channel_id: 'C1' };
    const action = {
      type: 'block_actions',
      team: { id: 'T1' },
      user: { id: 'U2' },
      actions: [{ type: 'button', action_id: 'button', block_id: 'b', value: 'pressed' }],
    };
    const record = {
      verification: await json({ type: 'url_verification', challenge: 'a challenge' }),
      ssl: await form({ ssl_check: '1' }),
      command: await form({ ...team, command: '/hello', text: 'ann' }),
      broken: await form({ ...team, command: '/broken' }),
      unknown: await form({ ...team, command: '/unknown' }),
      event: await json({
        type: 'event_callback',
        team_id: 'T1',
        event: { type: 'app_mention', text: 'hi', user: 'U2', channel: 'C1' },
      }),
      action: await form({ payload: JSON.stringify(action) }),
      forged: await send('{}', 'application/json', '{"a":1}'),
      malformed: await send('{', 'application/json'),
      unsigned: await see('POST /slack/events', { json: {} }),
      wrongMethod: await see('GET /slack/events'),
      own: await see('GET /own/a%20b'),
      missing: await see('GET /nothing'),
      events,
    };
    assert.match(record.verification.body, /a challenge/);
    assert.equal(record.command.body, 'hello ann');
    assert.deepEqual([record.forged.status, record.unsigned.status], [401, 401]);
    assert.deepEqual(events, ['hi', 'pressed']);
    return record;
  },
};
