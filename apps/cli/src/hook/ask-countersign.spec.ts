import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { CountersignError } from '#lib/sdk';
import { askAgain, askCountersign, clientUntil, CutOff, RefusedToTheEnd, withdraw } from './ask-countersign.js';
import { deadlineIn } from './deadline.js';

const ID = '0199c0de-0000-7000-8000-000000000001';
const CALL = {
  id: ID,
  session_id: ID,
  outcome: 'pending',
  decided_as: null,
  allowed_until: null,
  request_id: ID,
  expires_at: null,
  denial: null,
  reasons: [],
  obligations: { approvals: [], mfa: false, phases: 'all', audit_level: 'basic', valid_minutes: 5 },
  effective: { mode: 'full_auto', source: 'default' },
  decision_id: ID,
  bundle_revision: 'r',
  tool_version: 1,
  arguments_digest: null,
  shell: null,
  paths: null,
  errors: [],
  decided_at: null,
  answered_by: null,
  execution: null,
};

type Answers = Readonly<Record<string, readonly [status: number, body: object]>>;

/** Runs the work with a client of a server that gives these answers, and none to other requests than 404. */
async function served<T>(answers: Answers, work: (client: ReturnType<typeof clientUntil>) => Promise<T>, ms = 5_000) {
  const server = createServer(({ method = '', url = '' }, reply) => {
    const [status, body] = answers[`${method} ${url.replace(/\?.*/, '')}`] ?? [404, { code: 'x' }];
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const deadline = deadlineIn(ms);
  const baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  try {
    return await work(clientUntil(deadline, { baseUrl, token: 't', allowPlainHttp: false }));
  } finally {
    deadline.lift();
    server.closeAllConnections();
    server.close();
  }
}

const problem = (status: number, code: string) =>
  [
    status,
    { type: `urn:problem:${code}`, title: 'Refused', status, detail: 'It is full.', code, instance: 'urn:1' },
  ] as const;

describe('a call without an answer in time', () => {
  const cancel = `POST /v1/tool-calls/${ID}/cancel`;
  const get = `GET /v1/tool-calls/${ID}`;

  it.each<[string, Answers, string | null]>([
    ['is taken back', { [cancel]: [200, { ...CALL, outcome: 'denied', decided_as: 'cancelled' }] }, 'denied'],
    [
      'was approved at the last moment',
      {
        [cancel]: problem(409, 'tool_call.over'),
        [get]: [200, { ...CALL, outcome: 'executing', answered_by: 'agent', grant: 'a.b.c' }],
      },
      'executing',
    ],
    ['is still pending', { [cancel]: problem(503, 'x'), [get]: [200, CALL] }, 'pending'],
    ['is known to nobody', {}, null],
  ])('%s', async (_what, answers, outcome) => {
    const call = await served(answers, (client) => withdraw(client, CALL as never));
    expect(call?.outcome ?? null).toBe(outcome);
  });

  it('is asked about again if its submission was cut off, so that it can be taken back', async () => {
    const submit = `POST /v1/sessions/${ID}/tool-calls`;
    const call = { tool: 'shell', arguments: {}, reason: null };
    const question = { session: { id: ID }, call, clientCallId: 'c', turn: null };
    const passed = deadlineIn(60_000);
    passed.end();
    const answered = await served({ [submit]: [201, CALL] }, async (client) => {
      const cut = await askCountersign(client, question, passed).catch((thrown: unknown) => thrown);
      expect(cut).toEqual(new CutOff(ID));
      return askAgain(client, question, (cut as CutOff).session);
    });
    expect([answered.session, answered.call.outcome]).toEqual([ID, 'pending']);
  });

  it.each([
    ['database.too_slow', 1],
    ['database.unavailable', 3],
  ])('sends its submission so often if it is refused with %s: %i', async (code, times) => {
    const question = {
      session: { id: ID },
      call: { tool: 'shell', arguments: {}, reason: null },
      clientCallId: 'c',
      turn: null,
    };
    const deadline = deadlineIn(60_000);
    const sent = jest.spyOn(globalThis, 'fetch');
    const asked = served({ [`POST /v1/sessions/${ID}/tool-calls`]: problem(503, code) }, (client) =>
      askCountersign(client, question, deadline),
    );
    await expect(asked).rejects.toMatchObject({ code });
    expect(sent).toHaveBeenCalledTimes(times);
    sent.mockRestore();
    deadline.lift();
  });

  it('is told the refusal that stood until the deadline', async () => {
    const answers = { [`POST /v1/sessions/${ID}/tool-calls`]: problem(429, 'tool_call.turn_full') };
    const question = {
      session: { id: ID },
      call: { tool: 'shell', arguments: {}, reason: null },
      clientCallId: 'c',
      turn: null,
    };
    const deadline = deadlineIn(700);
    const error = await served(answers, (client) => askCountersign(client, question, deadline)).catch(
      (thrown: unknown) => thrown,
    );
    deadline.lift();
    expect(error).toBeInstanceOf(RefusedToTheEnd);
    const { refusal } = error as RefusedToTheEnd;
    expect([refusal instanceof CountersignError, refusal.code]).toEqual([true, 'tool_call.turn_full']);
  });
});
