import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { queryOf } from '../api/query.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { CheckLine } from '../components/check-line.js';
import { countOf } from '../components/count-of.js';
import { Skeleton } from '../components/skeleton.js';
import { checkAutomation, type Checked } from './check-automation.js';

const YamlEditor = lazy(() =>
  import('../components/yaml-editor.js').then((module) => ({ default: module.YamlEditor })),
);

interface AutomationEditorProps {
  readonly title: string;
  /** The source in force; null for a new automation. */
  readonly original: string | null;
  readonly draft: string;
  readonly onDraft: (draft: string) => void;
  /** The button that puts the text, once it is checked. */
  readonly put: (ready: boolean) => ReactNode;
}

/** The YAML of an automation: errors and steps that would be blocked show as one types. */
export function AutomationEditor({ title, original, draft, onDraft, put }: AutomationEditorProps) {
  const [comparing, setComparing] = useState(false);
  const [checked, setChecked] = useState<Checked>({ state: 'unchanged' });
  const check = useMemo(() => checkAutomation(setChecked), []);
  const ready = checked.state === 'valid' && checked.text === draft && draft !== original;
  return (
    <Card
      flush
      title={title}
      actions={
        <span className="flex flex-wrap items-center gap-2">
          {original !== null && (
            <Button
              size="sm"
              aria-pressed={comparing}
              onClick={() => {
                setComparing(!comparing);
              }}
            >
              {comparing ? 'Edit' : 'Compare'}
            </Button>
          )}
          {put(ready)}
        </span>
      }
    >
      <Suspense fallback={<Skeleton className="h-96" />}>
        <YamlEditor
          value={draft}
          original={original ?? ''}
          readOnly={false}
          comparing={comparing}
          line={0}
          label="Automation, YAML"
          schema={queryOf('/v1/schemas/{name}', { path: { name: 'automation' } })}
          check={check}
          onChange={onDraft}
          onState={setChecked}
        />
      </Suspense>
      <div role="status" className="flex min-h-12 flex-wrap items-center gap-2 border-t border-line px-4 py-2 text-sm">
        <CheckLine
          checked={checked}
          unchanged="Errors, and steps that would be blocked, show as you type."
          invalid={original === null ? 'Nothing is proposed yet.' : 'The old source stays in force.'}
        >
          {checked.state === 'valid' && checked.blocked.length > 0 && (
            <Badge tone="bad">{countOf(checked.blocked.length, 'step')} would be blocked</Badge>
          )}
        </CheckLine>
      </div>
    </Card>
  );
}
