import { ownMember } from '#lib/canonical';
import type { AutonomyFacts, EnvironmentFacts, ToolFacts } from '#lib/policy-inputs';

interface AboutTools {
  readonly autonomy: AutonomyFacts | null;
  readonly environment?: EnvironmentFacts;
  readonly tool?: ToolFacts;
  readonly tools?: Readonly<Record<string, ToolFacts>>;
}

/**
 * Narrows the autonomy document of an input to the tenant's defaults, the one environment, and the overrides of its
 * tools. So a decision takes the same time and space with ten tools as with a thousand. The whole revision is stored
 * apart.
 */
export function narrowAutonomy<Input extends AboutTools>(input: Input): Input {
  if (input.autonomy === null) return input;
  const { environments, tool_overrides: overrides, ...defaults } = input.autonomy.autonomy;
  const names = [input.tool, ...Object.values(input.tools ?? {})].flatMap((tool) =>
    tool === undefined ? [] : [tool.name],
  );
  return {
    ...input,
    autonomy: {
      autonomy: {
        ...defaults,
        ...(environments === undefined || input.environment === undefined
          ? {}
          : { environments: pick(environments, [input.environment.name]) }),
        ...(overrides === undefined ? {} : { tool_overrides: pick(overrides, names) }),
      },
    },
  };
}

const pick = <Value>(record: Readonly<Record<string, Value>>, names: readonly string[]): Record<string, Value> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = ownMember(record, name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
