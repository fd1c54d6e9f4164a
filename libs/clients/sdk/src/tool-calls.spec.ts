import { GrantError, type GrantVerifier } from './grant-verifier.js';
import { CountersignClient } from './client.js';
import { makeToolCall, type OwnTools } from './tool-calls.js';

const CALL = { tool: 'label', environment: 'staging', arguments: { targets: ['web-01'] } };
const ANSWER = { id: 'call-1', arguments_digest: 'sha256:00', tool_version: 3, answered_by: 'executor' };

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** A client whose server gives these answers, one after another. */
function serving(...answers: readonly object[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const client = new CountersignClient({
    baseUrl: 'https://countersign.example',
    token: 'cs_t_x',
    fetch: (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Sent['body']) : null;
      sent.push({ method: init?.method ?? 'GET', path: pathname + search, body });
      const answer = left.shift();
      if (answer === undefined) throw new Error('the server was asked once too often');
      return Promise.resolve(Response.json({ ...ANSWER, ...answer }));
    },
  });
  return { client, sent };
}

const CLAIMS = { jti: 'call-1', shell: null } as Awaited<ReturnType<GrantVerifier>>;
const accepting = (label: OwnTools['tools'][string]): OwnTools => ({
  verify: () => Promise.resolve(CLAIMS),
  tools: { label },
});
const GRANTED = { outcome: 'executing', answered_by: 'agent', grant: 'a grant' };

describe('a tool call of the SDK', () => {
  it('waits for people and for the executor, and names the call by itself', async () => {
    const answers = [{ outcome: 'pending', answered_by: null }, { outcome: 'allowed' }, { outcome: 'executing' }];
    const { client, sent } = serving(...answers, { outcome: 'succeeded' });
    await expect(makeToolCall(client, CALL)).resolves.toMatchObject({ outcome: 'succeeded' });
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/tool-calls?wait_seconds=20',
      ...Array.from({ length: 3 }, () => 'GET /v1/tool-calls/call-1?wait_seconds=20'),
    ]);
    expect(sent[0]?.body).toEqual({ ...CALL, client_call_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
  });

  it.each(['denied', 'failed', 'unknown', 'expired'])('ends with a call that is %s', async (outcome) => {
    const { client, sent } = serving({ outcome });
    await expect(makeToolCall(client, CALL)).resolves.toMatchObject({ outcome });
    expect(sent).toHaveLength(1);
  });

  it('does not wait for a call without an executor, nor after its signal', async () => {
    const lone = serving({ outcome: 'allowed', answered_by: null });
    await expect(makeToolCall(lone.client, CALL)).resolves.toMatchObject({ outcome: 'allowed' });
    const ended = serving({ outcome: 'pending' });
    const signal = AbortSignal.abort();
    await expect(makeToolCall(ended.client, CALL, { signal })).resolves.toMatchObject({ outcome: 'pending' });
  });

  it('asks in a session without an environment', async () => {
    const { client, sent } = serving({ outcome: 'denied' });
    await makeToolCall(client, { tool: 'label', arguments: {}, client_call_id: 'mine' }, { session: 's-1' });
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/v1/sessions/s-1/tool-calls?wait_seconds=20',
        body: { tool: 'label', arguments: {}, client_call_id: 'mine' },
      },
    ]);
  });

  it('executes its own tool under the verified grant, and reports', async () => {
    const { client, sent } = serving(GRANTED, { outcome: 'succeeded' });
    const verify = jest.fn(() => Promise.resolve(CLAIMS));
    const label = jest.fn(() => Promise.resolve({ outcome: 'succeeded', result: { labelled: 1 } } as const));
    const made = await makeToolCall(client, CALL, { own: { verify, tools: { label } } });
    expect(made.outcome).toBe('succeeded');
    expect(verify).toHaveBeenCalledWith('a grant', {
      tool: 'label',
      tool_version: 3,
      arguments: CALL.arguments,
      secrets: {},
      idempotency_key: 'call-1',
    });
    expect(label).toHaveBeenCalledWith(CALL.arguments, CLAIMS);
    expect(sent.at(-1)).toEqual({
      method: 'POST',
      path: '/v1/tool-calls/call-1/result',
      body: { jti: 'call-1', arguments_digest: 'sha256:00', outcome: 'succeeded', result: { labelled: 1 } },
    });
  });

  it('executes nothing under a grant that does not fit, and says so', async () => {
    const { client, sent } = serving(GRANTED, { outcome: 'failed' });
    const label = jest.fn();
    const verify = () => Promise.reject(new GrantError('grant.wrong_arguments', 'other arguments'));
    const made = makeToolCall(client, CALL, { own: { verify, tools: { label } } });
    await expect(made).rejects.toMatchObject({ code: 'grant.wrong_arguments' });
    expect(label).not.toHaveBeenCalled();
    expect(sent.at(-1)?.body).toMatchObject({
      outcome: 'failed',
      effect: 'not_started',
      error: { code: 'agent.grant_refused' },
    });
  });

  it.each([
    ['grant.without_line', 'touch made', null],
    ['grant.unread_line', null, { shell: 'bash', tier: 2, tree: 'sha256:00' } as const],
  ])('T53: executes no command line but that of the grant: %s', async (code, line, shell) => {
    const { client, sent } = serving(GRANTED, { outcome: 'failed' });
    const label = jest.fn();
    const verify = () => Promise.resolve({ ...CLAIMS, shell });
    const made = makeToolCall(client, CALL, { own: { verify, tools: { label }, lineOf: () => line } });
    await expect(made).rejects.toMatchObject({ code });
    expect(label).not.toHaveBeenCalled();
    expect(sent.at(-1)?.body).toMatchObject({ effect: 'not_started', error: { code: 'agent.grant_refused' } });
  });

  it('reports an unknown effect if its tool throws, and none if it has no such tool', async () => {
    const throwing = serving(GRANTED, { outcome: 'unknown' });
    const own = accepting(() => Promise.reject(new Error('the disk is full')));
    await makeToolCall(throwing.client, CALL, { own });
    expect(throwing.sent.at(-1)?.body).toMatchObject({
      outcome: 'unknown',
      error: { code: 'agent.tool_threw', message: 'the disk is full' },
    });
    const lacking = serving(GRANTED, { outcome: 'failed' });
    await makeToolCall(lacking.client, CALL, { own: { ...own, tools: {} } });
    expect(lacking.sent.at(-1)?.body).toMatchObject({ effect: 'not_started', error: { code: 'agent.no_such_tool' } });
    const inherited = serving(GRANTED, { outcome: 'failed' });
    await makeToolCall(inherited.client, { ...CALL, tool: 'constructor' }, { own });
    expect(inherited.sent.at(-1)?.body).toMatchObject({ effect: 'not_started', error: { code: 'agent.no_such_tool' } });
  });

  it('hands the grant to a caller without tools of its own', async () => {
    const { client, sent } = serving(GRANTED);
    await expect(makeToolCall(client, CALL)).resolves.toMatchObject({ outcome: 'executing', grant: 'a grant' });
    expect(sent).toHaveLength(1);
  });
});
