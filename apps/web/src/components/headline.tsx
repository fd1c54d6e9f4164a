import { InertText } from './agent-text.js';

interface HeadlineProps {
  /** The effect of the plan; null before there is a valid one. */
  readonly headline: string | null;
  readonly otherwise?: string;
}

/** The title of a row: the effect, worked out from the plan and never from its author's words. */
export const Headline = ({ headline, otherwise = 'No valid plan yet' }: HeadlineProps) => (
  <span className={`line-clamp-2 block font-medium ${headline === null ? 'text-muted' : ''}`}>
    <InertText text={headline ?? otherwise} />
  </span>
);
