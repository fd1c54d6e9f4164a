import { useEffect, useState } from 'react';
import type { Problem } from '#lib/client';
import { isReasonLength, MAX_REASON, REASON_LENGTH, MIN_REASON } from '#lib/words';
import { askWhyWith } from '../api/stated-reason.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { Field } from '../components/field.js';

interface Asked {
  readonly problem: Problem;
  readonly answer: (reason: string | null) => void;
}

/** Asks why, whenever something that loosens a guardrail is about to wait for a second person: they are told. */
export function ReasonDialog() {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    askWhyWith(
      (problem) =>
        new Promise((resolve) => {
          setAsked({
            problem,
            answer: (reason) => {
              setAsked(null);
              resolve(reason);
            },
          });
        }),
    );
    return () => {
      askWhyWith(null);
    };
  }, []);
  return asked === null ? null : <Why asked={asked} />;
}

function Why({ asked: { problem, answer } }: { readonly asked: Asked }) {
  const [reason, setReason] = useState('');
  const { what, loosens = [] } = problem.details ?? {};
  return (
    <Dialog
      title="Why do you ask for this?"
      description="It loosens a guardrail, so it waits for a second person. They read your reason before they confirm it."
      onClose={() => {
        answer(null);
      }}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          answer(reason.trim());
        }}
      >
        {what !== undefined && (
          <div className="rounded-lg bg-sunken p-3 text-sm">
            <p className="font-medium">
              <InertText text={what} />
            </p>
            <ul className="mt-1 list-disc pl-5 text-muted">
              {loosens.slice(0, 5).map((line) => (
                <li key={line}>
                  <InertText text={line} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <Field label="Your reason" hint={`${REASON_LENGTH}; it is kept as evidence.`}>
          {(control) => (
            <textarea
              {...control}
              required
              autoFocus
              rows={3}
              minLength={MIN_REASON}
              maxLength={MAX_REASON}
              value={reason}
              onChange={(event) => {
                setReason(event.target.value);
              }}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button
            onClick={() => {
              answer(null);
            }}
          >
            Cancel
          </Button>
          <Button type="submit" look="primary" disabled={!isReasonLength(reason.trim())}>
            Ask for it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
