import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../components/dialog.js';
import { matchesOf } from './go-to-matches.js';

/** Goes to a page by its name, or to a task, plan, request or run by its id. */
export function GoToDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [current, setCurrent] = useState(0);
  const navigate = useNavigate();
  const matches = matchesOf(text);
  const chosen = Math.min(current, matches.length - 1);
  const go = (path: string | undefined): void => {
    if (path === undefined) return;
    onClose();
    void navigate(path);
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="go-to-matches"
        aria-activedescendant={chosen >= 0 ? `go-to-${String(chosen)}` : undefined}
        aria-label="A page, or the id of a task, plan, request or run"
        placeholder="A page, or an id"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setCurrent(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setCurrent(Math.min(matches.length - 1, chosen + 1));
          else if (event.key === 'ArrowUp') setCurrent(Math.max(0, chosen - 1));
          else if (event.key === 'Enter') go(matches[chosen]?.path);
          else return;
          event.preventDefault();
        }}
        className="w-full rounded-lg border border-line-strong bg-surface px-3 py-2.5 text-base"
      />
      <ul
        id="go-to-matches"
        role="listbox"
        aria-label="Matches"
        className="mt-3 flex max-h-72 flex-col gap-0.5 overflow-y-auto"
      >
        {matches.map(({ name, path }, index) => (
          <li
            key={path}
            id={`go-to-${String(index)}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => {
              go(path);
            }}
            className={`cursor-pointer rounded-lg px-3 py-2 text-sm ${index === chosen ? 'bg-accent-soft text-accent' : 'hover:bg-sunken'}`}
          >
            {name}
          </li>
        ))}
      </ul>
      {matches.length === 0 && <p className="px-3 py-2 text-sm text-muted">No page is called that.</p>}
    </Dialog>
  );
}
