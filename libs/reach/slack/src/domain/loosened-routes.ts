import type { PersonId } from '#lib/kernel';

/** The channel of each environment (the empty name stands for every other one), and the people on duty. */
export interface SlackRoutes {
  readonly channels: Readonly<Record<string, string>>;
  readonly onDuty: readonly PersonId[];
}

/** The channels and people that a change takes messages away from. Further ones loosen nothing. */
export function loosenedRoutes(
  before: SlackRoutes,
  after: SlackRoutes,
  nameOf: (id: PersonId) => string,
): readonly string[] {
  const names = [...new Set([...Object.keys(before.channels), ...Object.keys(after.channels)])].sort();
  const moved = names.flatMap((environment) => {
    const [was, is] = [channelOf(before, environment), channelOf(after, environment)];
    if (was === undefined || was === is) return [];
    const which = environment === '' ? 'every other environment' : environment;
    return [`the channel ${was} no longer hears of ${which}${is === undefined ? '' : `, ${is} does`}`];
  });
  const gone = before.onDuty.filter((id) => !after.onDuty.includes(id));
  const instead = before.onDuty.length === 0 && after.onDuty.length > 0 && Object.keys(before.channels).length > 0;
  return [
    ...moved,
    ...gone.map((id) => `${nameOf(id)} is on duty no longer, and is told nothing directly`),
    ...(instead ? [`channels are told nothing while somebody on duty is: ${after.onDuty.map(nameOf).join(', ')}`] : []),
  ];
}

const channelOf = ({ channels }: SlackRoutes, environment: string): string | undefined =>
  Object.hasOwn(channels, environment) ? channels[environment] : channels[''];
