import { useState } from 'react';
import type { BlockedStepsView, ReadAutomationView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { useBarredFromAdministering } from '../api/roles.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { useChange } from '../settings/use-change.js';

type Word = 'enable' | 'disable';

/** The words of each state: the button that lets it run, and the one that stops it. */
const WORDS: Readonly<Record<ReadAutomationView['state'], Readonly<Record<Word, string | null>>>> = {
  proposed: { enable: 'Enable', disable: 'Reject' },
  enabled: { enable: null, disable: 'Disable' },
  paused: { enable: 'Resume', disable: 'Disable' },
  disabled: { enable: 'Enable', disable: null },
};

interface AutomationControlsProps {
  readonly automation: ReadAutomationView;
  readonly blocked: BlockedStepsView['blocked'];
}

/** Enables, resumes, rejects and disables an automation, each after a question. */
export function AutomationControls({ automation, blocked }: AutomationControlsProps) {
  const [asked, setAsked] = useState<Word | null>(null);
  // The source that the person has read is the one to enable: a newer one is refused.
  const [seen, setSeen] = useState(automation.source_sha256);
  const words = WORDS[automation.state];
  const barred = useBarredFromAdministering(`${words.enable === null ? 'disables' : 'enables'} automations`);
  if (barred !== null)
    return (
      <Button look="primary" barred={barred}>
        {words.enable ?? 'Disable'}
      </Button>
    );
  return (
    <>
      {words.enable !== null && (
        <Button
          look="primary"
          onClick={() => {
            setSeen(automation.source_sha256);
            setAsked('enable');
          }}
        >
          {words.enable}…
        </Button>
      )}
      {words.disable !== null && (
        <Button
          look="danger-outline"
          onClick={() => {
            setAsked('disable');
          }}
        >
          {words.disable}…
        </Button>
      )}
      {asked !== null && (
        <AskDialog
          automation={automation}
          blocked={blocked}
          seen={seen}
          word={asked}
          label={words[asked] ?? ''}
          onClose={() => {
            setAsked(null);
          }}
        />
      )}
    </>
  );
}

interface AskDialogProps extends AutomationControlsProps {
  readonly seen: string;
  readonly word: Word;
  readonly label: string;
  readonly onClose: () => void;
}

function AskDialog({ automation, blocked, seen, word, label, onClose }: AskDialogProps) {
  const path = { id: automation.id };
  const change = useChange(
    () =>
      word === 'enable'
        ? api.post('/v1/automations/{id}/enable', { path, body: { source_sha256: seen } })
        : api.post('/v1/automations/{id}/disable', { path }),
    '/v1/automations',
    '/v1/agents',
  );
  return (
    <Dialog title={`${label} ${automation.name}?`} onClose={onClose}>
      <div className="flex flex-col gap-4 text-sm">
        {word === 'enable' ? (
          <Enabling automation={automation} blocked={blocked} />
        ) : (
          <Disabling automation={automation} />
        )}
        {change.error !== null && <ErrorNote error={change.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look={word === 'enable' ? 'primary' : 'danger'}
            busy={change.isPending}
            onClick={() => {
              change.mutate(undefined, { onSuccess: onClose });
            }}
          >
            {label}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Enabling({ automation, blocked }: AutomationControlsProps) {
  const { name, environment, owner_id: owner, reading } = automation;
  return (
    <>
      <p>
        It runs revision {automation.revision} in <InertText text={environment.name} />, while nobody watches. It acts
        as the agent{' '}
        <code className="font-mono">
          automation:
          <InertText text={name} />
        </code>
        {owner === null && ', and you answer for that agent'}.
      </p>
      {blocked.length > 0 && (
        <p className="rounded-lg bg-bad-soft p-3">
          {blocked.map(({ step }) => step).join(', ')} would be blocked now.{' '}
          {reading?.on_blocked === 'skip'
            ? 'Runs leave blocked steps out and go on.'
            : 'It cannot be enabled before you change that.'}
        </p>
      )}
    </>
  );
}

const Disabling = ({ automation: { state } }: Pick<AutomationControlsProps, 'automation'>) => (
  <p>
    {state === 'proposed'
      ? 'It will not run. An admin can still enable it later.'
      : 'It starts no further run, and a run that goes on makes no further step. An admin can enable it again.'}
  </p>
);
