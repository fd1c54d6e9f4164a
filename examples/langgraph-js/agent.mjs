import { readFileSync } from 'node:fs';
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { CountersignClient, grantVerifier, makeToolCall } from 'countersign/sdk';

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

/** Stands where your model does: it wants two labels, and then tells their results. */
function scriptedModel(messages) {
  const results = messages.filter((message) => message.getType() === 'tool');
  if (results.length > 0) return new AIMessage(results.map(({ content }) => content).join('; '));
  const wanted = ['sandbox-1', 'sandbox-2'].map((target) => ({
    name: 'label_sandbox',
    args: { targets: [target] },
    id: `label-${target}`,
  }));
  return new AIMessage({ content: '', tool_calls: wanted });
}

/** Begins anew whenever the graph is resumed. Each call is asked about under its own name, so that it stays one call. */
async function tools({ messages }) {
  const calls = messages.at(-1).tool_calls;
  const answers = await Promise.all(calls.map(({ id, args }) => asked(id, args)));
  const waiting = calls.filter((_call, index) => answers[index].outcome === 'pending');
  // Leaves the graph while people think.
  if (waiting.length > 0) interrupt(waiting.map(({ id, args }) => ({ id, args })));
  const results = await Promise.all(calls.map(({ id, args }) => execute(id, args)));
  return { messages: results.map((content, index) => new ToolMessage({ content, tool_call_id: calls[index].id })) };
}

const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', ({ messages }) => ({ messages: [scriptedModel(messages)] }))
  .addNode('tools', tools)
  .addEdge(START, 'model')
  .addConditionalEdges('model', ({ messages }) => (messages.at(-1).tool_calls?.length > 0 ? 'tools' : END))
  .addEdge('tools', 'model')
  .compile({ checkpointer: new MemorySaver() });

const thread = { configurable: { thread_id: 'labels' } };
let state = await graph.invoke({ messages: [{ role: 'user', content: 'Label both sandboxes.' }] }, thread);
while (state.__interrupt__ !== undefined) {
  for (const { value } of state.__interrupt__) await Promise.all(value.map(({ id, args }) => answered(id, args)));
  state = await graph.invoke(new Command({ resume: true }), thread);
}
console.log(state.messages.at(-1).content);
