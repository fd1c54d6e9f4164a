import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import type { BreakGlassAvailabilityView, DestinationView } from '#lib/api-schemas';
import { REACH_IN_WORDS } from '#lib/words';
import { InertText } from '../components/agent-text.js';

/** The destinations and people who hear of a break-glass, and which of them no message reaches. */
export function Notified({ notified }: { readonly notified: BreakGlassAvailabilityView['notified'] }) {
  return (
    <ul className="flex flex-col gap-1">
      {notified.destinations.map((destination) => (
        <li key={destination.name}>
          <DestinationReach destination={destination} />
        </li>
      ))}
      <li>
        <NotifiedPeople people={notified.people} />
      </li>
    </ul>
  );
}

/** One destination, and whether it can be reached. */
export function DestinationReach({ destination: { name, reach } }: { readonly destination: DestinationView }) {
  const good = reach === 'answers';
  return (
    <span className={`inline-flex items-center gap-1.5 ${good ? '' : 'font-medium text-bad'}`}>
      {good ? (
        <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
      ) : (
        <TriangleAlert aria-hidden className="size-4 shrink-0" />
      )}
      <span>
        <InertText text={name} /> {REACH_IN_WORDS[reach]}
        {!good && (
          <>
            .{' '}
            <Link to="/settings/incidents" className="underline">
              Settings
            </Link>
          </>
        )}
      </span>
    </span>
  );
}

function NotifiedPeople({
  people: { count, reached },
}: {
  readonly people: BreakGlassAvailabilityView['notified']['people'];
}) {
  const who = `${String(count)} ${count === 1 ? 'person' : 'people'} (PlatformAdmins and SecurityReviewers)`;
  if (count === 0) return <>No PlatformAdmin or SecurityReviewer exists who could be notified.</>;
  if (reached === count) return <>{who}, also outside the inbox</>;
  return reached === 0 ? (
    <span className="font-medium text-bad">
      {who}, in the inbox and the banner alone. This installation sends no mail, and none of them linked Slack or a
      browser
    </span>
  ) : (
    <>
      {who}; {String(count - reached)} of them in the inbox and the banner alone
    </>
  );
}
