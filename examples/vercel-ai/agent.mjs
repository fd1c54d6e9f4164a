import { readFileSync } from 'node:fs';
import { generateText, stepCountIs, tool } from 'ai';
import { CountersignClient, grantVerifier, makeToolCall } from 'countersign/sdk';
import { z } from 'zod';
import { model } from './scripted-model.mjs';

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

const tools = {
  label_sandbox: tool({
    description: 'Labels sandboxes',
    inputSchema: z.object({ targets: z.array(z.string()) }),
    // True if a person is or was asked: the framework asks again once it has the answer.
    needsApproval: async (args, { toolCallId }) => (await asked(toolCallId, args)).request_id !== null,
    execute: (args, { toolCallId }) => execute(toolCallId, args),
  }),
};

const messages = [{ role: 'user', content: 'Label both sandboxes.' }];
for (;;) {
  const { content, response, text } = await generateText({ model, tools, messages, stopWhen: stepCountIs(5) });
  messages.push(...response.messages);
  const waiting = content.filter(({ type }) => type === 'tool-approval-request');
  if (waiting.length === 0) {
    console.log(text);
    break;
  }
  // The state is in `messages`: they may be kept, and this may go on in another process.
  const answers = await Promise.all(
    waiting.map(async ({ approvalId, toolCall: { toolCallId, input } }) => ({
      type: 'tool-approval-response',
      approvalId,
      approved: await answered(toolCallId, input),
    })),
  );
  messages.push({ role: 'tool', content: answers });
}
