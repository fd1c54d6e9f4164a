import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { stateInWords } from '#lib/words';
import { InertText } from '../components/agent-text.js';
import { Dialog } from '../components/dialog.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { ErrorNote } from '../components/error-note.js';
import { ShortId } from '../components/short-id.js';
import { matchesOf, type Act, type Match } from './go-to-matches.js';
import { useFindings } from './use-findings.js';

interface GoToDialogProps {
  readonly onClose: () => void;
  readonly onAct: (act: Act) => void;
}

/** Goes to anything: a page, or a person, agent, tool or work. It takes a word, a name or a part of an id. It also halts. */
export function GoToDialog({ onClose, onAct }: GoToDialogProps) {
  const [text, setText] = useState('');
  const [current, setCurrent] = useState(0);
  /** Enter was pressed before the answer was there: the first match is gone to. */
  const [entered, setEntered] = useState(false);
  const navigate = useNavigate();
  const found = useFindings(text);
  const matches = matchesOf(text, found.items);
  const chosen = Math.min(current, matches.length - 1);
  const go = (match: Match | undefined): void => {
    if (match === undefined) return;
    onClose();
    if ('act' in match.to) onAct(match.to.act);
    else void navigate(match.to.path);
  };
  const first = matches[0];
  useEffect(() => {
    if (!entered || found.isPending) return;
    setEntered(false);
    go(first);
  });
  const move = (to: number): void => {
    setCurrent(to);
    document.getElementById(`go-to-${String(to)}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Dialog title="Go to anything" onClose={onClose}>
      <input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="go-to-matches"
        aria-activedescendant={chosen >= 0 ? `go-to-${String(chosen)}` : undefined}
        aria-label="A page, a name, a word or a part of an id"
        placeholder="A page, a name, a target, or a part of an id"
        value={text}
        maxLength={200}
        onChange={(event) => {
          setText(event.target.value);
          setCurrent(0);
          setEntered(false);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(Math.min(matches.length - 1, chosen + 1));
          else if (event.key === 'ArrowUp') move(Math.max(0, chosen - 1));
          else if (event.key === 'Enter' && chosen === -1) setEntered(true);
          else if (event.key === 'Enter') go(matches[chosen]);
          else return;
          event.preventDefault();
        }}
        className="w-full rounded-lg border border-line-strong bg-surface px-3 py-2.5 text-base"
      />
      <ul
        id="go-to-matches"
        role="listbox"
        aria-label="Matches"
        className="mt-3 flex h-96 max-h-[50dvh] flex-col gap-0.5 overflow-y-auto"
      >
        {matches.map((match, index) => (
          <li
            key={match.key}
            id={`go-to-${String(index)}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => {
              go(match);
            }}
            className={`cursor-pointer rounded-lg px-3 py-2 text-sm ${index === chosen ? 'bg-accent-soft text-accent' : 'hover:bg-sunken'}`}
          >
            <MatchLine match={match} />
          </li>
        ))}
      </ul>
      {found.error !== null && <ErrorNote error={found.error} />}
      <p role="status" className="min-h-9 px-3 py-2 text-sm text-muted">
        {found.error === null && statusOf(matches.length, found.isPending)}
      </p>
    </Dialog>
  );
}

const statusOf = (count: number, isPending: boolean): string => {
  if (isPending) return 'Searching…';
  return count === 0 ? 'Nothing is called that. Words count as they begin, ids by their beginning or their end.' : '';
};

function MatchLine({ match: { kind, name, finding } }: { readonly match: Match }) {
  return (
    <span className="flex min-w-0 items-baseline gap-x-2">
      <span className="w-16 shrink-0 text-xs text-muted">{kind}</span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 wrap-anywhere">
          <InertText text={name} />
        </span>
        {finding !== null && finding.kind !== 'tool' && (
          <span className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1">
            {finding.environment != null && <EnvironmentLabel {...finding.environment} />}
            {finding.state != null && <span className="text-xs text-muted">{stateInWords(finding.state)}</span>}
            <ShortId id={finding.id} />
          </span>
        )}
      </span>
    </span>
  );
}
