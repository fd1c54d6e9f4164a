import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.js';
import { InertText } from './agent-text.js';
import { Badge } from './badge.js';
import type { CheckState } from './yaml-editor.js';

interface CheckLineProps {
  readonly checked: CheckState | { readonly state: 'unchanged' | 'valid' };
  /** About the text that the editor begins with. */
  readonly unchanged: string;
  /** Beside the number of errors. */
  readonly invalid?: string;
  /** Beside "valid": how it changes the gate. */
  readonly children?: ReactNode;
}

/** The words below an editor whose text is the document in force. */
export const inForceWords = (admin: boolean): string =>
  admin ? 'As in force. Errors show as you type.' : 'A PlatformAdmin may change it.';

/** Says below an editor how its text stands. */
export function CheckLine({
  checked,
  unchanged,
  invalid = 'The old document stays in force.',
  children,
}: CheckLineProps) {
  switch (checked.state) {
    case 'unchanged':
      return <span className="text-muted">{unchanged}</span>;
    case 'checking':
      return <span className="text-muted">Checking…</span>;
    case 'failed':
      return (
        <>
          <Badge tone="bad">not checked</Badge>
          {checked.error instanceof ApiError ? <InertText text={checked.error.problem.detail} /> : 'The check failed.'}
        </>
      );
    case 'invalid':
      return (
        <>
          <Badge tone="bad">{checked.problems} to correct</Badge>
          <span className="text-muted">{invalid}</span>
        </>
      );
    case 'valid':
      return (
        <>
          <Badge tone="good">valid</Badge>
          {children}
        </>
      );
  }
}
