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

const shown = (view: unknown, { addresses }: ToolWorld): unknown => {
  const request = view as ApprovalRequestView;
  return { ...request, page: addresses.requestPage(request.id) };
};

/** Tools that ask people, and look whether they answered. */
export const APPROVAL_TOOLS: readonly McpTool[] = [
  mcpTool({
    name: 'request_approval',
    title: 'Ask people to approve a plan',
    description:
      'Opens the approval request of a plan, or finds the one that stands. It never waits: read get_request_status until the state is no longer open. approval.not_required says that nobody needs to be asked.',
    routes: ['POST /v1/plans/{id}/approval-requests'],
    readsOnly: false,
    input: z.strictObject({
      plan_id: uuidSchema,
      start: openApprovalRequestSchema.shape.start.meta({
        description: 'on_approval: the plan runs as soon as it is approved. manual: a person starts it.',
      }),
    }),
    output: answer,
    run: async ({ plan_id: id, start }, world) =>
      shown(await world.api.send('POST /v1/plans/{id}/approval-requests', { path: { id }, body: { start } }), world),
  }),
  mcpTool({
    name: 'get_request_status',
    title: 'Read an approval request',
    description: 'Whether people have answered an approval request, of a plan or of a tool call.',
    routes: ['GET /v1/approval-requests/{id}'],
    readsOnly: true,
    input: z.strictObject({ request_id: uuidSchema }),
    output: answer,
    run: async ({ request_id: id }, world) =>
      shown(await world.api.send('GET /v1/approval-requests/{id}', { path: { id } }), world),
  }),
];
