import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import type { CheckState } from './yaml-editor.js';

interface CheckLineProps {
  readonly checked: CheckState | { readonly state: 'unchanged' | 'valid' };
  readonly admin: boolean;
  /** Beside "valid": how it changes the gate. */
  readonly children?: ReactNode;
}

/** Says below an editor how its text stands. */
export function CheckLine({ checked, admin, children }: CheckLineProps) {
  switch (checked.state) {
    case 'unchanged':
      return (
        <span className="text-muted">
          {admin ? 'As in force. Errors show as you type.' : 'A PlatformAdmin may change it.'}
        </span>
      );
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
          <span className="text-muted">The old document stays in force.</span>
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
