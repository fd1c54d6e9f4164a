import { Timer } from 'lucide-react';
import { inDuration } from '#lib/words';
import { ago } from './durations.js';
import { useNow } from './use-now.js';

const full = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** Beyond so long, a date says more than a number of days. */
const MONTH_MS = 30 * 86_400_000;

/**
 * A moment as people tell it, with the exact one on hovering and on paper. A banner is not read aloud again because time goes by.
 */
export function TimeAgo({ at }: { readonly at: string }) {
  const then = Date.parse(at);
  const told = useNow((now) => (now - then > MONTH_MS ? day.format(then) : ago(now - then)));
  return (
    <time
      dateTime={at}
      title={full.format(new Date(at))}
      aria-live="off"
      className="whitespace-nowrap print:after:content-[attr(title)]"
    >
      <span className="print:hidden">{told}</span>
    </time>
  );
}

/** A moment to the second, in the reader's time zone, which it names. */
export function Timestamp({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap">
      {full.format(new Date(at))}
    </time>
  );
}

interface TimeLeftProps {
  readonly until: string;
  readonly over?: string;
  /** A deadline is said in colour once it is near; the end of a wait is not. */
  readonly deadline?: boolean;
}

/** The time left until a moment, live; on paper, the moment. */
export function TimeLeft({ until, over = 'time is up', deadline = true }: TimeLeftProps) {
  const end = Date.parse(until);
  const soon = useNow((now) => deadline && end - now < 10 * 60_000);
  const left = useNow((now) => (now < end ? `${inDuration(end - now)} left` : over));
  return (
    <span
      role="timer"
      data-until={`until ${full.format(end)}`}
      className={`print:after:content-[attr(data-until)] inline-flex items-center gap-1 whitespace-nowrap ${soon ? 'font-medium text-bad' : 'text-muted'}`}
    >
      <Timer aria-hidden className="size-3.5" />
      <span className="print:hidden">{left}</span>
    </span>
  );
}
