import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PackSubject } from '#lib/verifier';
import { download, fetchPack } from '../api/audit.js';
import { Button, buttonClass } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { useMayAudit } from './may-audit.js';
import { verifyPath } from './pack-subject.js';

/** Takes the evidence pack of a plan, a change or a session away, or has it checked here. */
export function PackActions({ about }: { readonly about: PackSubject }) {
  const pack = useMutation({
    mutationFn: () => fetchPack(about),
    onSuccess: (bytes) => {
      download(`evidence-${about.id}.json`, 'application/json', bytes);
    },
  });
  return (
    <>
      <Button
        busy={pack.isPending}
        onClick={() => {
          pack.mutate();
        }}
      >
        Evidence pack
      </Button>
      <Link className={buttonClass('secondary')} to={verifyPath(about)}>
        Verify here
      </Link>
      {pack.error !== null && <ErrorNote error={pack.error} />}
    </>
  );
}

/** The same as a card, for readers with a role that opens the audit log. */
export function EvidenceCard({ about }: { readonly about: PackSubject }) {
  if (!useMayAudit()) return null;
  return (
    <Card title="Evidence">
      <p className="mb-3 text-sm text-muted">
        Who asked, who decided and what was done, as one file that anybody can check without this server.
      </p>
      <div className="flex flex-wrap gap-2">
        <PackActions about={about} />
      </div>
    </Card>
  );
}
