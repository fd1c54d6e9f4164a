import { z } from 'zod';
import { autonomyMatrixSchema, matrixQuerySchema, safeToolsQuerySchema, safeToolsSchema } from '#lib/api-schemas';
import { toolDefinitionSchema, decisionSchema } from '#lib/formats';
import { mcpTool, type McpTool } from './mcp-tool.js';

const { name, description, risk, effect, requires_plan } = toolDefinitionSchema.shape;
const parameters = z.record(z.string(), z.json());
const listed = z.object({
  ...{ name, description, risk, effect, requires_plan, parameters },
  ...{ version: z.int(), level: z.string() },
});

const { outcome, reasons, obligations } = decisionSchema.shape;
const matrix = autonomyMatrixSchema.shape;
const cell = matrix.cells.element.pick({ tool: true, environment: true, production: true, risk: true });

/** Tools that list the registry and explain policy. They only read. */
export const POLICY_TOOLS: readonly McpTool[] = [
  mcpTool({
    name: 'list_tools',
    title: 'List the tools that Countersign gates',
    description:
      'Every tool of the registry with its risk and its parameters. Call them with submit_tool_call or in a plan.',
    routes: ['GET /v1/tools'],
    readsOnly: true,
    input: z.strictObject({}),
    output: z.object({ tools: z.array(listed) }),
    run: async (_input, { api }) => {
      const { tools } = await api.send('GET /v1/tools', {});
      return { tools: tools.map(({ definition, version, level }) => ({ ...definition, version, level })) };
    },
  }),
  mcpTool({
    name: 'explain_policy',
    title: 'Ask what policy would say',
    description:
      'The decision that a plan with this one tool would get now, in one environment or each, with the freezes. Nothing is submitted.',
    routes: ['GET /v1/autonomy/matrix'],
    readsOnly: true,
    input: matrixQuerySchema,
    output: z.object({
      freezes: z.array(matrix.freezes.element.pick({ name: true, active: true, from: true, until: true })),
      cells: z.array(cell.extend({ decision: z.object({ outcome, reasons, obligations }) })),
    }),
    run: (query, { api }) => api.send('GET /v1/autonomy/matrix', { query }),
  }),
  mcpTool({
    name: 'list_automation_safe_tools',
    title: 'List the tools that automations may call',
    description:
      'Every tool with its tier, and whether an automation may call it in an environment now. An automation runs with no person watching.',
    routes: ['GET /v1/automations/safe-tools'],
    readsOnly: true,
    input: safeToolsQuerySchema,
    output: safeToolsSchema,
    run: (query, { api }) => api.send('GET /v1/automations/safe-tools', { query }),
  }),
];
