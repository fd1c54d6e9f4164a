import { createRequestStateCodec, inputRequired, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { asTask, takesTasks } from '../../apps/api/src/mcp/mcp-tasks.js';
import type { TaskingServer } from '../../apps/api/src/mcp/tasking-server.js';
import { askFor, text, wordOf, type FixtureTasks } from './fixture-tasks.js';

/** Seals the state that goes through the client. */
export const STATES = createRequestStateCodec<{ readonly round: number }>({ key: 'k'.repeat(32) });

const asked = {
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
} as const;
const sampling = inputRequired.createMessage({ messages: [...asked.messages], maxTokens: 100 });

const declares = z.object({
  'io.modelcontextprotocol/clientCapabilities': z.object({ sampling: z.unknown(), elicitation: z.unknown() }).partial(),
});

type Asking = (context: ServerContext) => ReturnType<Parameters<TaskingServer['registerTool']>[2] & (() => never)>;

/** The tools that ask their client for something before they answer (SEP-2322). */
export function serveAsking(server: TaskingServer): void {
  const tool = (name: string, run: (context: ServerContext) => unknown): void => {
    server.registerTool(name, { description: 'Asks before it answers' }, run as Asking);
  };
  for (const each of ['test_input_required_result_elicitation', 'test_streaming_elicitation'])
    tool(each, ({ mcpReq }) => {
      const name = wordOf(mcpReq.inputResponses, 'user_name', 'name');
      return name === null
        ? inputRequired({ inputRequests: { user_name: askFor('name', 'What is your name?') } })
        : text(`Hello, ${name}!`);
    });
  tool('test_input_required_result_sampling', ({ mcpReq: { inputResponses } }) =>
    inputResponses === undefined
      ? inputRequired({ inputRequests: { capital_question: sampling } })
      : text(JSON.stringify(inputResponses.capital_question)),
  );
  tool('test_input_required_result_list_roots', ({ mcpReq: { inputResponses } }) =>
    inputResponses === undefined
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : text(JSON.stringify(inputResponses.client_roots)),
  );
  tool('test_missing_capability', () => inputRequired({ inputRequests: { sampling } }));
  tool('test_input_required_result_capabilities', ({ mcpReq }) => {
    const declared = declares.safeParse(mcpReq.envelope).data?.['io.modelcontextprotocol/clientCapabilities'];
    return inputRequired({
      inputRequests: {
        ...(declared?.sampling === undefined ? {} : { sampling }),
        ...(declared?.elicitation === undefined ? {} : { user_name: askFor('name', 'What is your name?') }),
      },
    });
  });
  tool('test_input_required_result_multiple_inputs', async ({ mcpReq: { inputResponses } }) =>
    inputResponses === undefined
      ? inputRequired({
          inputRequests: {
            user_name: askFor('name', 'What is your name?'),
            greeting: sampling,
            client_roots: inputRequired.listRoots(),
          },
          requestState: await STATES.mint({ round: 1 }),
        })
      : text(Object.keys(inputResponses).join(', ')),
  );
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state'])
    tool(name, async ({ mcpReq }) =>
      mcpReq.requestState() === undefined
        ? inputRequired({
            inputRequests: { confirm: askFor('ok', 'Please confirm') },
            requestState: await STATES.mint({ round: 1 }),
          })
        : text('state-ok'),
    );
  tool('test_input_required_result_multi_round', async ({ mcpReq }) => {
    const round = mcpReq.requestState<{ readonly round: number }>()?.round ?? 0;
    if (round === 2) return text('Done');
    return inputRequired({
      inputRequests: { [`step${String(round + 1)}`]: askFor('word', `Step ${String(round + 1)}`) },
      requestState: await STATES.mint({ round: round + 1 }),
    });
  });
}

/** The tools that answer with a task, if their client takes one. */
export function serveTasked(server: TaskingServer, tasks: FixtureTasks): void {
  server.registerTool('greet', { description: 'Greets', inputSchema: z.object({ name: z.string() }) }, ({ name }) =>
    text(`Hello, ${name}!`),
  );
  server.registerTool(
    'slow_compute',
    { description: 'Takes its time', inputSchema: z.object({ seconds: z.number(), label: z.string().optional() }) },
    ({ seconds }, { mcpReq }) => {
      const result = text(`Computed for ${String(seconds)} s`);
      if (seconds === 0 || !takesTasks(mcpReq.envelope)) return result;
      return asTask(text(''), tasks.begin(seconds * 1_000, { result }));
    },
  );
  const job = (name: string, begin: () => ReturnType<FixtureTasks['begin']>): void => {
    server.registerTool(name, { description: 'Begins a task', inputSchema: z.looseObject({}) }, (_input, { mcpReq }) =>
      takesTasks(mcpReq.envelope) ? asTask(text(''), begin()) : text('Done'),
    );
  };
  job('failing_job', () => tasks.begin(1_000, { result: { ...text('It failed'), isError: true } }));
  job('protocol_error_job', () => tasks.begin(0, { error: { code: -32_603, message: 'It broke' } }));
  job('confirm_delete', () =>
    tasks.begin(0, { result: text('Deleted') }, { confirm: askFor('confirm', 'Delete it?') }),
  );
  job('multi_input', () =>
    tasks.begin(0, { result: text('Both') }, { first: askFor('first', 'First?'), second: askFor('second', 'Second?') }),
  );
  server.registerTool('test_tool_with_task', { description: 'Asks, and begins a task' }, ({ mcpReq }) => {
    const name = wordOf(mcpReq.inputResponses, 'user_name', 'name');
    if (name === null) return inputRequired({ inputRequests: { user_name: askFor('name', 'What is your name?') } });
    return asTask(text(''), tasks.begin(0, { result: text(`Hello, ${name}!`) }));
  });
}
