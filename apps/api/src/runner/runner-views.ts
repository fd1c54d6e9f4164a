import type { RunnerCallView, RunnerView, SeenRunnerCall } from '#lib/api-schemas';
import type { RunnerDispatch, SeenRunner, TakenCall } from '#lib/runner-pool';
import type { ToolCallRequest } from '#lib/formats';

const moment = (at: number): string => new Date(at).toISOString();
const momentOrNull = (at: number | null): string | null => (at === null ? null : moment(at));

export const runnerView = ({ runner, state, mcpServers }: SeenRunner): RunnerView => ({
  id: runner.id,
  name: runner.name,
  pool: runner.pool,
  environments: [...runner.environments],
  state,
  version: runner.version,
  tools: [...runner.tools],
  works_in: runner.worksIn && [...runner.worksIn],
  hooks: [...runner.hooks],
  mcp_servers: mcpServers.map(({ name, tools, problem }) => ({ name, tools, problem })),
  no_way_back: runner.noWayBack,
  created_at: moment(runner.createdAt),
  enrolled_at: momentOrNull(runner.enrolledAt),
  last_seen_at: momentOrNull(runner.lastSeenAt),
  revoked_at: momentOrNull(runner.revokedAt),
});

export const callView = (taken: TakenCall | null): RunnerCallView => ({
  call: taken && {
    id: taken.call.id,
    grant: taken.call.grantToken,
    request: {
      tool: taken.call.tool,
      tool_version: taken.call.toolVersion,
      // Zod's type of JSON has no readonly members.
      arguments: taken.call.arguments as ToolCallRequest['arguments'],
      secrets: { ...taken.secrets },
      idempotency_key: taken.call.idempotencyKey,
    },
    answer_within_ms: taken.answerWithinMs,
  },
});

export const seenCallView = (call: RunnerDispatch): SeenRunnerCall => ({
  id: call.id,
  state: call.state,
  source: { type: call.sourceType, id: call.sourceId },
  step: call.step,
  attempt: call.attempt,
  tool: call.tool,
  pool: call.pool,
  runner_id: call.runnerId,
  offered_at: moment(call.offeredAt),
  taken_at: momentOrNull(call.takenAt),
  ended_at: momentOrNull(call.endedAt),
  answer: call.answer,
});
