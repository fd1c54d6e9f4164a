import { ownMember } from '#lib/canonical';
import { InertText } from './agent-text.js';

const LOOKS: Readonly<Record<string, string>> = {
  '+': 'bg-good-soft',
  '-': 'bg-bad-soft',
  '@': 'text-muted',
};

/** A unified diff; a sign marks added and removed lines, not colour alone. */
export function UnifiedDiff({ diff }: { readonly diff: string }) {
  const lines = diff.split('\n').filter((line) => !/^(Index:|={3,}|--- |\+\+\+ |\\ )/.test(line) && line !== '');
  if (lines.length === 0) return <p className="p-4 text-sm text-muted">Nothing differs.</p>;
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Difference"
      className="max-h-[60dvh] overflow-auto py-2 font-mono text-xs leading-5"
    >
      {lines.map((line, index) => (
        <div key={index} className={`min-h-5 px-4 whitespace-pre-wrap ${ownMember(LOOKS, line[0] ?? '') ?? ''}`}>
          <InertText text={line} />
        </div>
      ))}
    </div>
  );
}
