import { counted } from '#lib/words';
import { Button } from '../components/button.js';
import { useFolds } from './folds.js';

/** Says that something is still folded, before a decision that is about all of it. */
export function OpenFolds() {
  const { closed, openAll } = useFolds();
  if (closed === 0) return null;
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2 rounded-lg bg-warn-soft p-3 text-sm">
      <span>{counted(closed, 'part')} of what is done is folded. Read it before you decide.</span>
      <Button size="sm" onClick={openAll}>
        Show all of it
      </Button>
    </div>
  );
}
