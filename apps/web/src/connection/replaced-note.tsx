import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.js';
import { Button } from '../components/button.js';

interface ReplacedNoteProps {
  readonly children: ReactNode;
  readonly again: () => void;
}

/** Tells that somebody changed a connection after a form of it was opened. */
export const ReplacedNote = ({ children, again }: ReplacedNoteProps) => (
  <div role="alert" className="flex flex-wrap items-center gap-3 rounded-lg bg-warn-soft p-3 text-sm">
    {children}
    <Button size="sm" onClick={again}>
      Show theirs
    </Button>
  </div>
);

/** Whether a change was refused because its author had read other settings. */
export const isReplaced = (error: Error | null): boolean =>
  error instanceof ApiError && error.problem.code === 'request.if_match_failed';
