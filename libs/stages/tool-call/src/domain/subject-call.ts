import type { SubjectCall } from '#lib/approval';
import { digestOf } from '#lib/kernel';
import type { ToolVersion } from '#lib/tool';
import { callCategory } from './call-category.js';
import { callImpact } from './call-impact.js';
import { callLevel } from './call-level.js';
import type { ToolCallFacts } from './tool-call.js';

/** A call as people are asked about it. @param tool the version that it was asked for with. */
export function subjectCall(facts: ToolCallFacts, tool: ToolVersion): SubjectCall {
  const { id, sessionId, submitter, arguments: args, argumentsDigest, targets, reason, environment, shell } = facts;
  const bound = {
    tool: { name: tool.name, version: tool.version, digest: tool.digest },
    executor: facts.executor && { name: facts.executor.name, digest: facts.executor.digest },
  };
  const digest = digestOf('tool-call', {
    ...{ id, session_id: sessionId, submitter: { ...submitter }, ...bound },
    environment: environment.digest,
    arguments_digest: argumentsDigest,
    targets: [...targets],
    shell: shell && { shell: shell.shell, tier: shell.tier, tree: shell.tree },
  });
  return {
    ...{ id, sessionId, digest, ...bound, environmentDigest: environment.digest },
    ...{ arguments: args, argumentsDigest, targets, reason, submitter },
    ...callInWords(facts, tool),
  };
}

/** Category, level and effect of a call, from its tool and its verdicts. */
export const callInWords = (
  facts: ToolCallFacts,
  tool: ToolVersion,
): Pick<SubjectCall, 'category' | 'level' | 'impact'> => ({
  category: callCategory(tool.definition, facts.shell),
  level: callLevel(tool, facts),
  impact: callImpact({ ...facts, tool, environment: facts.environment.name }),
});
