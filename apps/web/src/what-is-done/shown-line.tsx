import type { ShownLine as Line } from '#lib/api-schemas';
import { shellInWords, partsInWords, verdictInWords } from '#lib/words';
import { LineText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { lineSegments, type LineSegment } from './line-segments.js';

const TONES = { 1: 'good', 2: 'warn', 3: 'bad' } as const;

const COLOURS = {
  1: 'rounded bg-good-soft text-good',
  2: 'rounded bg-warn-soft text-warn',
  3: 'rounded bg-bad-soft text-bad',
} as const;

/** A command line with its verdict: each part in the colour of its tier, and below it why. */
export function ShownLine({ line }: { readonly line: Omit<Line, 'argument'> }) {
  return (
    <div role="group" aria-label="Command line" className="mt-2 min-w-0">
      <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
        Command line {shellInWords(line.shell)} <Badge tone={TONES[line.tier]}>{verdictInWords(line)}</Badge>
      </p>
      <pre className="mt-1 rounded-lg bg-sunken px-3 py-2 font-mono text-[0.8125rem] break-words whitespace-pre-wrap">
        {lineSegments(line).map((segment, index) => (
          <Segment key={index} segment={segment} line={line.command} />
        ))}
      </pre>
      <ol className="mt-2 flex flex-col gap-1.5 text-sm" aria-label="Parts of the command line">
        {partsInWords(line).map(({ text, tier, verdict, why }, index) => (
          <li key={index} className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
            <Badge tone={TONES[tier]}>{verdict}</Badge>
            <code className="min-w-0 font-mono text-[0.8125rem] break-words whitespace-pre-wrap">
              <LineText text={text} line={line.command} />
            </code>
            <span className="min-w-0 basis-full text-muted">
              <LineText text={why} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

const Segment = ({ segment: { text, tier }, line }: { readonly segment: LineSegment; readonly line: string }) => (
  <span className={tier === null ? undefined : COLOURS[tier]}>
    <LineText text={text} line={line} />
  </span>
);
