import { readFileSync } from 'node:fs';
import { Agent, run, setTracingDisabled, tool } from '@openai/agents';
import { CountersignClient, grantVerifier, makeToolCall } from 'countersign/sdk';
import { z } from 'zod';
import { model } from './scripted-model.mjs';

setTracingDisabled(true);
const url = process.env.COUNTERSIGN_URL ?? 'http://localhost:8420';
const token = readFileSync(process.env.COUNTERSIGN_TOKEN_FILE, 'utf8').trim();
const countersign = new CountersignClient({ baseUrl: url, token });
const { tenant_id: tenant } = await countersign.get('/v1/me');
const { id: session } = await countersign.post('/v1/sessions', { body: { environment: 'staging' } });
console.log(`People answer at ${url}/sessions/${session}`);

/** The tool itself, which executes under a verified grant alone. */
const own = {
  verify: grantVerifier({
    issuer: url,
    audience: 'hands.staging',
    tenants: [tenant],
    environments: ['staging'],
    replay: 'redeem',
  }),
  tools: {
    label_sandbox: async ({ targets }) => {
      console.log(`labelling ${targets.join(', ')}`);
      return { outcome: 'succeeded', result: { labelled: targets.length } };
    },
  },
};

/** The call under the framework's own name: a repetition gets the same answer, and nothing is done twice. */
const callOf = (id, args) => ({ tool: 'label_sandbox', arguments: args, client_call_id: id });

/** Asks about a call, without waiting. */
const asked = (id, args) =>
  countersign.post('/v1/sessions/{id}/tool-calls', { path: { id: session }, body: callOf(id, args) });

/** Waits for the person's answer. */
const answered = async (id, args) =>
  (await makeToolCall(countersign, callOf(id, args), { session })).outcome !== 'denied';

/** Executes a call that was allowed, and reports it. */
async function execute(id, args) {
  const { outcome, denial, execution } = await makeToolCall(countersign, callOf(id, args), { session, own });
  return outcome === 'succeeded'
    ? JSON.stringify(execution.result)
    : `${denial?.message ?? outcome} (${denial?.code ?? outcome})`;
}

const labelSandbox = tool({
  name: 'label_sandbox',
  description: 'Labels sandboxes',
  parameters: z.object({ targets: z.array(z.string()) }),
  // True if a person is or was asked: the framework asks again once it has the answer.
  needsApproval: async (_context, args, callId) => (await asked(callId, args)).request_id !== null,
  execute: (args, _context, { toolCall }) => execute(toolCall.callId, args),
});

const agent = new Agent({ name: 'labeller', instructions: 'Label sandboxes.', model, tools: [labelSandbox] });
let result = await run(agent, 'Label both sandboxes.');
while (result.interruptions.length > 0) {
  // `result.state.toString()` may be kept, and this may go on in another process.
  await Promise.all(
    result.interruptions.map(async (interruption) => {
      const { callId, arguments: args } = interruption.rawItem;
      if (await answered(callId, JSON.parse(args))) result.state.approve(interruption);
      else result.state.reject(interruption);
    }),
  );
  result = await run(agent, result.state);
}
console.log(result.finalOutput);
