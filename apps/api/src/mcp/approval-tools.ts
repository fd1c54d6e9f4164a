import { z } from 'zod';
import { approvalRequestSchema, openApprovalRequestSchema, type ApprovalRequestView } from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import { mcpTool, type McpTool, type ToolWorld } from './mcp-tool.js';

const answer = approvalRequestSchema
  .pick({
    id: true,
    state: true,
    closed_reason: true,
    headline: true,
    risk: true,
    expires_at: true,
    seconds_left: true,
  })
  .extend({ page: z.string().meta({ description: 'Where people answer. Tell it to the user.' }) });

const OPEN = 'POST /v1/plans/{id}/approval-requests';
const ONE_REQUEST = 'GET /v1/approval-requests/{id}';
const WITHDRAW = 'POST /v1/approval-requests/{id}/withdraw';

const shown = (view: unknown, { addresses }: ToolWorld): unknown => {
  const request = view as ApprovalRequestView;
  return { ...request, page: addresses.requestPage(request.id) };
};

const read = async (id: string, world: ToolWorld): Promise<unknown> =>
  shown(await world.api.send(ONE_REQUEST, { path: { id } }), world);

/** Tools that ask people, and look whether they answered. */
export const APPROVAL_TOOLS: readonly McpTool[] = [
  mcpTool({
    name: 'request_approval',
    title: 'Ask people to approve a plan',
    description:
      'Opens the approval request of a plan, or finds the one that stands. It never waits: read get_request_status until the state is no longer open. approval.not_required says that nobody needs to be asked.',
    routes: [OPEN, ONE_REQUEST],
    readsOnly: false,
    input: z.strictObject({
      plan_id: uuidSchema,
      start: openApprovalRequestSchema.shape.start.meta({
        description: 'on_approval: the plan runs as soon as it is approved. manual: a person starts it.',
      }),
    }),
    output: answer,
    waits: {
      routes: [ONE_REQUEST, WITHDRAW],
      cancel: WITHDRAW,
      idOf: (view) => {
        const { state, id } = view as ApprovalRequestView;
        return state === 'open' ? id : null;
      },
      reread: read,
      requestOf: (view) => Promise.resolve(view as ApprovalRequestView),
      statusOf: (view) => {
        const { state } = view as ApprovalRequestView;
        if (state === 'open') return 'working';
        return state === 'voided' ? 'cancelled' : 'completed';
      },
    },
    run: async ({ plan_id: id, start }, world) =>
      shown(await world.api.send(OPEN, { path: { id }, body: { start } }), world),
  }),
  mcpTool({
    name: 'get_request_status',
    title: 'Read an approval request',
    description: 'Whether people have answered an approval request, of a plan or of a tool call.',
    routes: [ONE_REQUEST],
    readsOnly: true,
    input: z.strictObject({ request_id: uuidSchema }),
    output: answer,
    run: ({ request_id: id }, world) => read(id, world),
  }),
];
