import { Bot } from 'lucide-react';
import { textPieces } from '#lib/kernel';

/** Text of others, as text: links are not live, and characters that would not be seen are named. */
export function InertText({ text }: { readonly text: string }) {
  return (
    <>
      {textPieces(text).map((piece, index) =>
        piece.hidden ? (
          <span
            key={index}
            title="A character that would not be seen"
            className="mx-0.5 rounded bg-bad-soft px-1 font-mono text-xs text-bad"
          >
            {piece.text}
          </span>
        ) : (
          <bdi key={index}>{piece.text}</bdi>
        ),
      )}
    </>
  );
}

/** What whoever asked says it is for, on one line among other things: marked as their words. */
export function GoalText({ goal }: { readonly goal: string }) {
  return (
    <q title="Words of whoever asked. Nothing is checked against them.">
      <span className="sr-only">in the words of whoever asked: </span>
      <InertText text={goal} />
    </q>
  );
}

interface AgentTextProps {
  readonly text: string;
  /** Whose words they are: "drift-bot (agent)". */
  readonly by: string;
}

/** An agent's own words, labelled as such. They decide nothing. */
export function AgentText({ text, by }: AgentTextProps) {
  return (
    <figure className="rounded-lg border-l-4 border-line-strong bg-sunken px-4 py-3">
      <blockquote className="whitespace-pre-wrap">
        <InertText text={text} />
      </blockquote>
      <figcaption className="mt-2 flex items-center gap-1.5 text-xs text-muted">
        <Bot aria-hidden className="size-3.5" />
        <span>
          Words of <InertText text={by} />. Nothing here is checked against them.
        </span>
      </figcaption>
    </figure>
  );
}
