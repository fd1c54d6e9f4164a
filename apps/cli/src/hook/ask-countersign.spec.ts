import { CountersignError } from '#lib/sdk';
import { askAgain, askCountersign, clientUntil, CutOff, RefusedToTheEnd, withdraw } from './ask-countersign.js';
import { deadlineIn } from './deadline.js';
import { besideToolCallServer, ID, PENDING_CALL, type Answers } from './fake-tool-call-server.js';

/** Runs the work with a client of a server that gives these answers, and 404 to other requests. */
async function served<T>(answers: Answers, work: (client: ReturnType<typeof clientUntil>) => Promise<T>, ms = 5_000) {
  const deadline = deadlineIn(ms);
  try {
    return await besideToolCallServer(answers, (baseUrl) =>
      work(clientUntil(deadline, { baseUrl, token: 't', allowPlainHttp: false })),
    );
  } finally {
    deadline.lift();
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
    ['is taken back', { [cancel]: [200, { ...PENDING_CALL, outcome: 'denied', decided_as: 'cancelled' }] }, 'denied'],
    [
      'was approved at the last moment',
      {
        [cancel]: problem(409, 'tool_call.over'),
        [get]: [200, { ...PENDING_CALL, outcome: 'executing', answered_by: 'agent', grant: 'a.b.c' }],
      },
      'executing',
    ],
    ['is still pending', { [cancel]: problem(503, 'x'), [get]: [200, PENDING_CALL] }, 'pending'],
    ['is known to nobody', {}, null],
  ])('%s', async (_what, answers, outcome) => {
    const call = await served(answers, (client) => withdraw(client, PENDING_CALL as never));
    expect(call?.outcome ?? null).toBe(outcome);
  });

  it('is asked about again if its submission was cut off, so that it can be taken back', async () => {
    const submit = `POST /v1/sessions/${ID}/tool-calls`;
    const call = { tool: 'shell', arguments: {}, reason: null };
    const question = { session: { id: ID }, call, clientCallId: 'c', turn: null };
    const passed = deadlineIn(60_000);
    passed.end();
    const answered = await served({ [submit]: [201, PENDING_CALL] }, async (client) => {
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
