import { Bot } from 'lucide-react';
import { textPieces } from '#lib/words';
import { MarkedPieces } from './marked-pieces.js';

/** Text of others, as text: links are not live, and characters that would not be seen are named. */
export const InertText = ({ text }: { readonly text: string }) => <MarkedPieces pieces={textPieces(text)} />;

/** A part of a command line, which a machine reads from left to right. Letters of the other direction are named. */
export const LineText = ({ text, line = text }: { readonly text: string; readonly line?: string }) => (
  <MarkedPieces pieces={textPieces(text, 'whole', line)} />
);

interface AgentTextProps {
  readonly text: string;
  /** The author of the words: "drift-bot (agent)". */
  readonly by: string;
}

/** The submitter's words on one line below the effect, if there are any: marked as theirs, and shown to everybody. */
export const SaidBy = ({ text, by }: Omit<AgentTextProps, 'text'> & { readonly text: string | null }) =>
  text === null ? null : (
    <span className="flex min-w-0 items-baseline gap-1.5 text-sm text-muted">
      <Bot aria-hidden className="size-3.5 shrink-0 self-center" />
      <span className="line-clamp-2 min-w-0 wrap-anywhere sm:line-clamp-1 sm:break-all">
        <InertText text={by} /> says, not verified:{' '}
        <q>
          <InertText text={text} />
        </q>
      </span>
    </span>
  );

/** An agent's own words, labelled as such. They decide nothing. */
export function AgentText({
  text,
  by,
  trust = 'the steps',
}: AgentTextProps & {
  /** The part of the page that is to be trusted instead. */
  readonly trust?: 'the steps' | 'the call';
}) {
  return (
    <figure className="rounded-lg border-l-4 border-line-strong bg-sunken px-4 py-3">
      {/* Above the words: below a long text nobody would have read it yet. */}
      <figcaption className="mb-2 flex items-center gap-1.5 text-xs text-muted">
        <Bot aria-hidden className="size-3.5 shrink-0" />
        <span>
          Written by <InertText text={by} />; not verified. Trust {trust}, not this text.
        </span>
      </figcaption>
      <blockquote className="text-sm whitespace-pre-wrap text-muted">
        <InertText text={text} />
      </blockquote>
    </figure>
  );
}
