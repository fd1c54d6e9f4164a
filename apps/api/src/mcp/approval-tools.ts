import { z } from 'zod';
import { approvalRequestSchema, openApprovalRequestSchema } from '#lib/api-schemas';
import { uuidSchema, VERDICTS } from '#lib/formats';
import { visibleText } from '#lib/words';
import type { AnswerOf } from './api-calls.js';
import { mcpTool, type McpTool, type ToolWorld } from './mcp-tool.js';

const answer = approvalRequestSchema
  .pick({
    ...{ id: true, state: true, closed_reason: true, headline: true, risk: true, expires_at: true },
    seconds_left: true,
  })
  .extend({
    environment: z.string(),
    production: z.boolean(),
    said_by_the_requester: z.string().nullable().meta({ description: "The requester's own words, unchecked." }),
    missing: z
      .array(z.object({ count: z.int(), roles: z.array(z.string()) }))
      .meta({ description: 'How many more people must approve, each with one of the roles.' }),
    reviews: z
      .array(z.object({ person: z.string(), verdict: z.enum(VERDICTS) }))
      .meta({ description: 'The answers so far.' }),
    page: z.string().meta({ description: 'The page on which people answer. Tell it to the user.' }),
  });

const OPEN = 'POST /v1/plans/{id}/approval-requests';
const ONE_REQUEST = 'GET /v1/approval-requests/{id}';
const WITHDRAW = 'POST /v1/approval-requests/{id}/withdraw';

async function read(id: string, { api, addresses }: ToolWorld) {
  const view = await api.send(ONE_REQUEST, { path: { id } });
  return {
    ...view,
    environment: view.environment.name,
    production: view.environment.production,
    said_by_the_requester: wordsOf(view),
    missing: view.quorum.open.map(({ count, roles }) => ({ count, roles })),
    reviews: view.reviews
      .filter((review) => review.replaced_at === null)
      .map(({ person, verdict }) => ({ person: person.display_name, verdict })),
    page: addresses.requestPage(view.id),
  };
}

/** With each hidden character by its name: people read it on the card of a host. */
function wordsOf(view: AnswerOf<typeof ONE_REQUEST>): string | null {
  const said = 'call' in view ? view.call.said_by_the_requester?.reason : view.said_by_the_requester.goal;
  return said === undefined ? null : visibleText(said);
}

/** Tools that ask people, and look whether they answered. */
export const APPROVAL_TOOLS: readonly McpTool[] = [
  mcpTool({
    name: 'request_approval',
    title: 'Ask people to approve a plan',
    description:
      'Opens the approval request of a plan, or finds the one that stands. It never waits: read get_request_status until the state is no longer open. approval.not_required says that the plan needs no approval.',
    routes: [OPEN, ONE_REQUEST],
    readsOnly: false,
    hasCard: true,
    input: z.strictObject({
      plan_id: uuidSchema,
      start: openApprovalRequestSchema.shape.start.meta({
        description: 'on_approval: the plan runs as soon as it is approved. manual: a person starts it.',
      }),
    }),
    output: answer,
    waits: {
      routes: [ONE_REQUEST, WITHDRAW],
      idOf: ({ state, id }) => (state === 'open' ? id : null),
      reread: read,
      cancel: (id, { api }) => api.send(WITHDRAW, { path: { id } }),
      requestOf: (view) => Promise.resolve(view),
      statusOf: ({ state }) => {
        if (state === 'open') return 'working';
        return state === 'voided' ? 'cancelled' : 'completed';
      },
    },
    run: async ({ plan_id: id, start }, world) => {
      const opened = await world.api.send(OPEN, { path: { id }, body: { start } });
      return read(opened.id, world);
    },
  }),
  mcpTool({
    name: 'get_request_status',
    title: 'Read an approval request',
    description: 'Whether people have answered an approval request, of a plan or of a tool call.',
    routes: [ONE_REQUEST],
    readsOnly: true,
    hasCard: true,
    input: z.strictObject({ request_id: uuidSchema }),
    output: answer,
    run: ({ request_id: id }, world) => read(id, world),
  }),
];
