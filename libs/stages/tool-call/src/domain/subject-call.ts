import type { SubjectCall } from '#lib/approval';
import { digestOf } from '#lib/kernel';
import { CLASS_LEVEL } from '#lib/shell-safety';
import { level, type ToolVersion } from '#lib/tool';
import { callCategory } from './call-category.js';
import { callImpact } from './call-impact.js';
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
    shell: shell && { dialect: shell.shell, tier: shell.tier, tree: shell.tree },
  });
  return {
    ...{ id, sessionId, digest, ...bound, environmentDigest: environment.digest },
    ...{ arguments: args, argumentsDigest, targets, reason, submitter },
    ...callInWords(facts, tool),
  };
}

/** Category, level and effect of a call, from its tool and its verdict. */
export const callInWords = (
  { arguments: args, targets, environment, shell }: ToolCallFacts,
  tool: ToolVersion,
): Pick<SubjectCall, 'category' | 'level' | 'impact'> => ({
  category: callCategory(tool.definition, shell),
  level: shell === null ? level(tool.definition) : CLASS_LEVEL[shell.class],
  impact: callImpact({ tool, environment: environment.name, arguments: args, targets, shell }),
});
