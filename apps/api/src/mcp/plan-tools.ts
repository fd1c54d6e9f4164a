import { z } from 'zod';
import { explainedSimulationSchema, explainedTaskSchema, planSchema } from '#lib/api-schemas';
import { planDocumentSchema, taskSpecSchema, uuidSchema, decisionSchema } from '#lib/formats';
import { mcpTool, type McpTool } from './mcp-tool.js';

const { outcome, reasons } = decisionSchema.shape;
const explanation = z.object({ decision: z.object({ outcome, reasons }) }).nullable();

const taskAnswer = explainedTaskSchema
  .pick({ id: true, state: true, headline: true, plan_risk: true })
  .extend({ explanation: explanation.optional() });

const planAnswer = planSchema
  .pick({ id: true, task_id: true, revision: true, status: true, headline: true, plan_risk: true, errors: true })
  .extend({ explanation });

const simulationAnswer = explainedSimulationSchema.pick({
  id: true,
  plan_id: true,
  state: true,
  result: true,
  failure: true,
  stale_reason: true,
  expires_at: true,
});

const task = z.strictObject({ task_id: uuidSchema });
const plan = z.strictObject({ plan_id: uuidSchema });

/** Tools for work in steps: a task, its plans, and their predictions. */
export const PLAN_TOOLS: readonly McpTool[] = [
  mcpTool({
    name: 'submit_task',
    title: 'Submit a task',
    description: 'States a goal in one environment. Next: submit_plan with its id.',
    routes: ['POST /v1/tasks'],
    readsOnly: false,
    input: taskSpecSchema,
    output: taskAnswer,
    run: (body, { api }) => api.send('POST /v1/tasks', { body }),
  }),
  mcpTool({
    name: 'get_task',
    title: 'Read a task',
    description: 'The state of a task, and the latest decision about it.',
    routes: ['GET /v1/tasks/{id}'],
    readsOnly: true,
    input: task,
    output: taskAnswer,
    run: ({ task_id: id }, { api }) => api.send('GET /v1/tasks/{id}', { path: { id } }),
  }),
  mcpTool({
    name: 'submit_plan',
    title: 'Submit a plan',
    description:
      'Says how a task is to be done, in phases and steps. A new revision takes the place of the one before. Next: simulate_plan.',
    routes: ['POST /v1/tasks/{id}/plans'],
    readsOnly: false,
    input: task.extend({ plan: planDocumentSchema }),
    output: planAnswer,
    run: ({ task_id: id, plan: body }, { api }) => api.send('POST /v1/tasks/{id}/plans', { path: { id }, body }),
  }),
  mcpTool({
    name: 'get_plan',
    title: 'Read a plan',
    description: 'The status of a plan, with its simulation, approval and run, and the reasons for it.',
    routes: ['GET /v1/plans/{id}'],
    readsOnly: true,
    input: plan,
    output: planAnswer,
    run: ({ plan_id: id }, { api }) => api.send('GET /v1/plans/{id}', { path: { id } }),
  }),
  mcpTool({
    name: 'simulate_plan',
    title: 'Simulate a plan',
    description: 'Asks for a prediction of the effects of a plan, and executes nothing. Read it with get_simulation.',
    routes: ['POST /v1/plans/{id}/simulations'],
    readsOnly: false,
    input: plan,
    output: simulationAnswer,
    run: ({ plan_id: id }, { api }) => api.send('POST /v1/plans/{id}/simulations', { path: { id } }),
  }),
  mcpTool({
    name: 'get_simulation',
    title: 'Read a simulation',
    description: 'A prediction. Read it again while its state is pending or running.',
    routes: ['GET /v1/simulations/{id}'],
    readsOnly: true,
    input: z.strictObject({ simulation_id: uuidSchema }),
    output: simulationAnswer,
    run: ({ simulation_id: id }, { api }) => api.send('GET /v1/simulations/{id}', { path: { id } }),
  }),
];
