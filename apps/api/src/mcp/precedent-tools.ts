import { z } from 'zod';
import { precedentListSchema, searchPrecedentsSchema } from '#lib/api-schemas';
import { mcpTool, type McpTool } from './mcp-tool.js';

const { items, line, searched_by } = precedentListSchema.shape;
const found = items.element.pick({
  ...{ id: true, request_id: true, run_id: true, task_id: true, environment: true, tools: true, argument_keys: true },
  ...{ targets: true, target_count: true, headline: true, goal: true, ended_as: true, ending: true },
  ...{ unknown_effects: true, ended_at: true, equal: true, different: true },
});

/** Tools that look into the past before a plan is made. They only read. */
export const PRECEDENT_TOOLS: readonly McpTool[] = [
  mcpTool({
    name: 'find_precedents',
    title: 'Find out what was done before',
    description:
      'Requests and runs of the past that are like your intention, with their outcomes, bad ones first. Ask before you plan. History only: nothing is approved by it.',
    routes: ['GET /v1/precedents'],
    readsOnly: true,
    input: searchPrecedentsSchema,
    output: z.object({ items: z.array(found), line, searched_by }),
    run: (query, { api }) => api.send('GET /v1/precedents', { query }),
  }),
];
