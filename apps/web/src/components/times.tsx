import { Timer } from 'lucide-react';
import { ago, inDuration } from './durations.js';
import { useNow } from './use-now.js';

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A moment as people tell it, with the exact one on hovering. */
export function TimeAgo({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={full.format(new Date(at))} className="whitespace-nowrap">
      {ago(now - Date.parse(at))}
    </time>
  );
}

/** A moment to the second, in the reader's time zone. */
export function Timestamp({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap">
      {full.format(new Date(at))}
    </time>
  );
}

/** What is left until a moment, live; soon is said in colour and in a word. */
export function TimeLeft({ until, over = 'time is up' }: { readonly until: string; readonly over?: string }) {
  const left = Date.parse(until) - useNow();
  const soon = left < 10 * 60_000;
  return (
    <span
      role="timer"
      className={`inline-flex items-center gap-1 whitespace-nowrap ${soon ? 'font-medium text-bad' : 'text-muted'}`}
    >
      <Timer aria-hidden className="size-3.5" />
      {left <= 0 ? over : `${inDuration(left)} left`}
    </span>
  );
}
