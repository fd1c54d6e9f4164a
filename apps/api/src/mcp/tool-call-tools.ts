import { z } from 'zod';
import { submitToolCallSchema, toolCallSchema } from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import { ApiRefusal, type AnswerOf, type ApiCalls } from './api-calls.js';
import { mcpTool, type McpTool, type ToolWorld } from './mcp-tool.js';

const CALLS = 'POST /v1/tool-calls';
const CALLS_OF_SESSION = 'POST /v1/sessions/{id}/tool-calls';
const ONE_CALL = 'GET /v1/tool-calls/{id}';
const CANCEL = 'POST /v1/tool-calls/{id}/cancel';
const ONE_REQUEST = 'GET /v1/approval-requests/{id}';

type ToolCall = AnswerOf<typeof ONE_CALL>;

/** The grant is among the members: the agent that executes a call itself needs it. */
const answer = toolCallSchema
  .pick({
    ...{ id: true, outcome: true, decided_as: true, request_id: true, expires_at: true, allowed_until: true },
    ...{ denial: true, errors: true, answered_by: true, execution: true, grant: true, grant_expires_at: true },
  })
  .extend({
    reasons: z.array(z.object({ code: z.string(), message: z.string() })),
    page: z
      .string()
      .nullable()
      .meta({ description: 'The page on which people answer, if they are asked. Tell it to the user.' }),
    next: z.string().nullable().meta({ description: 'Your next step while it is pending or executing.' }),
  });

const input = submitToolCallSchema
  .omit({ environment: true })
  .extend({
    environment: submitToolCallSchema.shape.environment.optional(),
    session_id: uuidSchema.optional().meta({ description: 'A session, in place of an environment: it has one.' }),
  })
  .refine(({ environment, session_id: session }) => (environment === undefined) !== (session === undefined), {
    // A call that names both would be made in the environment of the session alone.
    error: 'Name either the environment or the session_id of the call.',
  })
  .refine((given) => given.client_call_id === undefined || !('request_key' in given), {
    // A repetition under the same key could be another call.
    error: 'The request_key is the client_call_id of the call: give one of them.',
  });

const read = async (id: string, world: ToolWorld) => shown(await world.api.send(ONE_CALL, { path: { id } }), world);

/** Tools that ask for a single call. */
export const TOOL_CALL_TOOLS: readonly McpTool[] = [
  mcpTool({
    name: 'submit_tool_call',
    title: 'Ask to make a tool call',
    description:
      'Asks to make one call of a tool of list_tools now, in an environment or a session. The outcome is allowed, denied or pending. A pending call waits for people: read it with get_tool_call. The same call asked again while it is pending is that call.',
    routes: [CALLS, CALLS_OF_SESSION, ONE_CALL],
    readsOnly: false,
    hasCard: true,
    input,
    output: answer,
    waits: {
      routes: [ONE_CALL, ONE_REQUEST, CANCEL],
      idOf: ({ outcome, id }) => (outcome === 'pending' ? id : null),
      reread: read,
      cancel: (id, { api }) => api.send(CANCEL, { path: { id } }),
      requestOf: async ({ request_id: id }, { api }) => (id === null ? null : api.send(ONE_REQUEST, { path: { id } })),
      statusOf: ({ outcome, decided_as: decided, answered_by: by }) => {
        if (outcome === 'pending') return 'working';
        // An agent that makes its call needs the grant, which is in the answer.
        if (by === 'executor' && (outcome === 'allowed' || outcome === 'executing')) return 'working';
        return decided === 'cancelled' ? 'cancelled' : 'completed';
      },
    },
    run: async ({ session_id: session, environment, ...given }, world) => {
      // The route knows its calls by this name, and takes no Idempotency-Key.
      const { requestKey } = world;
      const call = requestKey === undefined ? given : { client_call_id: requestKey, ...given };
      // The input names the one or the other.
      const asked =
        environment === undefined
          ? world.api.send(CALLS_OF_SESSION, { path: { id: session ?? '' }, body: call })
          : world.api.send(CALLS, { body: { ...call, environment } });
      return shown(await asked.catch((error: unknown) => twinOf(error, world.api)), world);
    },
  }),
  mcpTool({
    name: 'get_tool_call',
    title: 'Read a tool call',
    description: 'The outcome of a call, and its result once it was made.',
    routes: [ONE_CALL],
    readsOnly: true,
    input: z.strictObject({ tool_call_id: uuidSchema }),
    output: answer,
    run: ({ tool_call_id: id }, world) => read(id, world),
  }),
];

/** The call with the same arguments that waits already; any other refusal stays one. */
function twinOf(error: unknown, api: ApiCalls): Promise<ToolCall> {
  const { code, details } = error instanceof ApiRefusal ? error.problem : {};
  const id = code === 'tool_call.already_pending' ? details?.tool_call_id : undefined;
  if (id === undefined) throw error;
  return api.send(ONE_CALL, { path: { id } });
}

function shown(call: ToolCall, { addresses }: ToolWorld) {
  const page = call.request_id === null ? null : addresses.requestPage(call.request_id);
  return { ...call, page, next: nextOf(call) };
}

function nextOf({ outcome, id }: ToolCall): string | null {
  if (outcome === 'pending')
    return `People are asked. Tell the user the page, and read get_tool_call with tool_call_id ${id} until it is decided.`;
  if (outcome === 'executing' || outcome === 'allowed')
    return `Read get_tool_call with tool_call_id ${id} for the result.`;
  return null;
}
