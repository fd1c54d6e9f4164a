import type { Destination } from './destination.js';

const listed = new Intl.ListFormat('en');

/**
 * The destinations that are silent while no address of Slack answers, in words.
 *
 * @param named every destination of the settings.
 * @param slack the name of the channel.
 * @param notifies the destinations that break-glass notifies; empty while it is off.
 */
export function silencedInWords(
  named: readonly Destination[],
  slack: string,
  notifies: readonly string[],
): readonly string[] {
  const silent = named
    .filter(({ reach, addresses }) => reach !== 'answers' && addresses.some(({ channel }) => channel === slack))
    .map(({ name }) => name)
    .sort();
  if (silent.length === 0) return [];
  const ofBreakGlass = silent.filter((name) => notifies.includes(name));
  return [
    `No message about an incident or an overdue review reaches ${listed.format(silent)}.`,
    ...(ofBreakGlass.length === 0
      ? []
      : [
          `Break-glass notifies ${listed.format(ofBreakGlass)}, and reaches nobody there. It still works, and PlatformAdmins and SecurityReviewers are notified as people.`,
        ]),
    'Add an address outside Slack, such as a mail address, to each under Settings, Incidents.',
  ];
}
