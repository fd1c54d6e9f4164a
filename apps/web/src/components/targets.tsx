import { useState } from 'react';
import { InertText } from './agent-text.js';

const SHOWN = 12;

/** Names of targets: a dozen, and the rest on asking. */
export function Targets({ names }: { readonly names: readonly string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? names : names.slice(0, SHOWN);
  const rest = names.length - shown.length;
  return (
    <span className="flex flex-wrap items-center gap-1">
      {shown.map((name) => (
        <span key={name} className="rounded bg-sunken px-1.5 font-mono text-xs leading-5">
          <InertText text={name} />
        </span>
      ))}
      {rest > 0 && (
        <button
          type="button"
          className="rounded px-1.5 text-xs leading-5 font-medium text-accent underline"
          onClick={() => {
            setAll(true);
          }}
        >
          and {rest} more
        </button>
      )}
    </span>
  );
}
