import { useMutation } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { fetchPack, useAuditKeys } from '../api/audit.js';
import { ApiError } from '../api/api-error.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { Field } from '../components/field.js';
import { Page } from '../components/page.js';
import { useMayAudit } from './may-audit.js';
import { subjectIn, subjectWords } from './pack-subject.js';
import { VerifyResult } from './verify-result.js';
import { verifyInThread } from './verify-job.js';

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const missing = (): never => {
  throw new Error('Choose the file of a pack.');
};

/** Checks an evidence pack in this browser, with the code of `countersign verify`; nothing is asked of the server for it. */
export function Component() {
  const [search] = useSearchParams();
  const auditor = useMayAudit();
  // A reader without a role for the log verifies a file that they have.
  const about = auditor ? subjectIn(search) : null;
  const served = useAuditKeys(auditor);
  const [file, setFile] = useState<File | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [checkpoint, setCheckpoint] = useState('');
  const [approverKeys, setApproverKeys] = useState('');
  const keys = typed ?? served.data?.items.map(({ key }) => key).join('\n') ?? '';
  const verify = useMutation({
    mutationFn: async () => {
      const pack = file === null ? await fetchPack(about ?? missing()) : new Uint8Array(await file.arrayBuffer());
      return verifyInThread({
        pack,
        keys: linesOf(keys),
        approverKeys: approverKeys.trim() === '' ? null : approverKeys,
        checkpoint: checkpoint.trim() === '' ? null : `${checkpoint.trim()}\n`,
      });
    },
  });
  return (
    <Page
      eyebrow={<Link to="/audit">Audit</Link>}
      title="Verify an evidence pack"
      meta="In this browser, with the code of “countersign verify”: signatures, proofs, digests, and every decision taken again."
    >
      <div className="grid gap-4 grid-cols-1 lg:grid-cols-2">
        <Card title="What is checked, and what you trust">
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              verify.mutate();
            }}
          >
            <Field
              label="Pack"
              hint={
                about === null
                  ? 'A file that was kept.'
                  : `Without a file: the pack of ${subjectWords(about)}, assembled now.`
              }
            >
              {(control) => (
                <input
                  {...control}
                  type="file"
                  accept=".json,application/json"
                  required={about === null}
                  onChange={(event) => {
                    setFile(event.target.files?.[0] ?? null);
                  }}
                />
              )}
            </Field>
            <Field
              label="Keys you trust"
              hint={
                auditor
                  ? 'Filled in with this server’s keys. For an independent check, paste a key that you saved elsewhere.'
                  : 'The key that you kept outside. Your roles do not read this server’s; that takes SecurityReviewer, which a PlatformAdmin gives.'
              }
            >
              {(control) => (
                <textarea
                  {...control}
                  required
                  rows={3}
                  spellCheck={false}
                  value={keys}
                  onChange={(event) => {
                    setTyped(event.target.value);
                  }}
                  className={`${control.className} font-mono text-xs`}
                />
              )}
            </Field>
            <Field
              label="Approver keys you kept"
              hint="Optional: lines from people’s own Settings, Second factors. Paste them, or drop the file here. Each approval must be signed with one of these."
            >
              {(control) => (
                <textarea
                  {...control}
                  rows={3}
                  spellCheck={false}
                  value={approverKeys}
                  onChange={(event) => {
                    setApproverKeys(event.target.value);
                  }}
                  onDrop={(event) => {
                    const dropped = event.dataTransfer.files[0];
                    if (dropped === undefined) return;
                    event.preventDefault();
                    void dropped.text().then(setApproverKeys);
                  }}
                  className={`${control.className} font-mono text-xs`}
                />
              )}
            </Field>
            <Field
              label="A checkpoint you kept"
              hint="Optional: shows that nobody rewrote history since. It has to be of the pack’s own size."
            >
              {(control) => (
                <textarea
                  {...control}
                  rows={4}
                  spellCheck={false}
                  value={checkpoint}
                  onChange={(event) => {
                    setCheckpoint(event.target.value);
                  }}
                  className={`${control.className} font-mono text-xs`}
                />
              )}
            </Field>
            {served.error !== null && <ErrorNote error={served.error} />}
            <div>
              <Button
                type="submit"
                look="primary"
                busy={verify.isPending}
                disabled={typed === null && served.isLoading}
              >
                <ShieldCheck aria-hidden className="size-4" /> {verify.isPending ? 'Verifying…' : 'Verify'}
              </Button>
            </div>
          </form>
        </Card>
        <Card title="Result">
          <div role="status" className="min-h-48 text-sm">
            {verify.data === undefined && verify.error === null && (
              <p className="text-muted">
                {verify.isPending ? 'Every decision is being taken again…' : 'Nothing was checked yet.'}
              </p>
            )}
            {verify.error !== null &&
              (verify.error instanceof ApiError ? (
                <ErrorNote error={verify.error} />
              ) : (
                <p className="text-bad">{verify.error.message}</p>
              ))}
            {verify.data !== undefined && <VerifyResult answer={verify.data} />}
          </div>
        </Card>
      </div>
    </Page>
  );
}
