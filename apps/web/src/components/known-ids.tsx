import { useDirectory } from '../api/directory.js';
import { InertText } from './agent-text.js';

const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The people and agents behind the ids of a document that is shown as it is. Null if it names none. */
export function KnownIds({ text }: { readonly text: string }) {
  const { people, agents } = useDirectory();
  const named = [...new Set(text.match(IDS))].flatMap((id) => {
    const agent = agents.get(id);
    const name = people.get(id) ?? (agent === undefined ? undefined : `${agent} (agent)`);
    return name === undefined ? [] : [[id, name] as const];
  });
  if (named.length === 0) return null;
  return (
    <dl className="mb-3 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_1fr]">
      {named.map(([id, name]) => (
        <div key={id} className="contents">
          <dt className="font-medium">
            <InertText text={name} />
          </dt>
          <dd className="font-mono text-xs leading-5 break-all text-muted">{id}</dd>
        </div>
      ))}
    </dl>
  );
}
