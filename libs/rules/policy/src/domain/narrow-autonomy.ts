import type { AutonomyFacts, EnvironmentFacts, ToolFacts } from '#lib/contracts';

interface AboutTools {
  readonly autonomy: AutonomyFacts | null;
  readonly environment?: EnvironmentFacts;
  readonly tool?: ToolFacts;
  readonly tools?: Readonly<Record<string, ToolFacts>>;
}

/**
 * The input with no more of the autonomy document than its decision can depend on: the tenant's defaults, the one
 * environment, the overrides of the tools in question. So a decision costs and its record weighs the same whether the
 * tenant has ten tools or a thousand. The revision itself is kept elsewhere.
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
      const value = Object.hasOwn(record, name) ? record[name] : undefined;
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
