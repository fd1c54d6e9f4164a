import pc from 'picocolors';
import type { BreakGlassAvailabilityView, DestinationListView, DestinationView } from '#lib/api-schemas';
import { REACH_IN_WORDS } from '#lib/words';
import { counted, indented, moment, oneLine } from '../output.js';

/** Every destination with its addresses, and which of them the last test message reached. */
export function destinationLines({ items }: DestinationListView): string[] {
  if (items.length === 0) return ['No destination is named yet: countersign incident-settings put FILE'];
  return items.flatMap((item) => [
    reachLine(item),
    ...indented(
      item.addresses.map(({ address, tested_at: tested, answered_at: answered, error }) => {
        const how =
          error ??
          (answered !== null ? `took it on ${moment(answered)}` : tested === null ? 'never tested' : 'no answer yet');
        return `${oneLine(address)}: ${oneLine(how)}`;
      }),
    ),
  ]);
}

/** The destinations that hear of a break-glass, a line each, and the number of people. */
export function notifiedLines({ destinations, people }: BreakGlassAvailabilityView['notified']): string[] {
  const alone = people.count - people.reached;
  return [
    'Notified:',
    ...indented([
      ...destinations.map(reachLine),
      people.count === 0
        ? pc.red('no PlatformAdmin or SecurityReviewer exists')
        : `${counted(people.count, 'person', 'people')} (PlatformAdmins and SecurityReviewers)${alone === 0 ? '' : `, ${String(alone)} of them in the inbox and the banner alone`}`,
    ]),
  ];
}

const reachLine = ({ name, reach }: DestinationView): string => {
  const line = `${oneLine(name)} ${REACH_IN_WORDS[reach]}`;
  return reach === 'answers' ? line : pc.red(line);
};
