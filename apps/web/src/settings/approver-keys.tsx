import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import type { ApproverKeyView } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';

/** The public keys of somebody's passkeys, for those who check approvals on their own. */
export function ApproverKeys({ personId, own }: { readonly personId: string; readonly own: boolean }) {
  const keys = useQuery(queryOf('/v1/approver-keys', { query: { person_id: personId } }));
  if (keys.error !== null) return <ErrorNote error={keys.error} retry={() => void keys.refetch()} />;
  if (keys.data === undefined) return <SkeletonRows rows={1} />;
  const { items } = keys.data;
  if (items.length === 0) {
    return (
      <p className="text-sm text-muted">
        {own ? 'You have' : 'This person has'} no passkey. Only a passkey signs an approval.
      </p>
    );
  }
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>
        {own
          ? 'Give these lines to the people who check your approvals, and read them the fingerprint by voice.'
          : 'Call this person, and have them read the fingerprint from their own screen. Keep the line only if both agree.'}
      </p>
      <ul className="flex flex-col gap-3">
        {items.map((key) => (
          <KeyLine key={key.factor_id} approverKey={key} />
        ))}
      </ul>
    </div>
  );
}

function KeyLine({ approverKey }: { readonly approverKey: ApproverKeyView }) {
  const [copied, setCopied] = useState(false);
  const { name, fingerprint, line, credential_id: credential } = approverKey;
  return (
    <li className="flex flex-col gap-1.5 rounded-lg border border-line p-3">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium">
          <InertText text={name} />
        </span>
        <span className="font-mono tabular-nums" aria-label="Fingerprint">
          {fingerprint}
        </span>
      </span>
      <span className="text-xs text-muted">
        Credential <code className="font-mono break-all">{credential}</code>
      </span>
      <code className="font-mono text-xs break-all text-muted">{line}</code>
      <div>
        <Button
          size="sm"
          onClick={() => {
            void navigator.clipboard.writeText(`${line}\n`).then(() => {
              setCopied(true);
            });
          }}
        >
          <Copy aria-hidden className="size-4" /> {copied ? 'Copied' : 'Copy the line'}
        </Button>
      </div>
    </li>
  );
}
