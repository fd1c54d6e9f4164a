import { Button } from './button.js';

interface KeptDraftNoteProps {
  /** The document, and how it stood as the draft began: `of revision 2`. */
  readonly of: string;
  readonly onRestore: () => void;
  readonly onDiscard: () => void;
}

/** Offers a draft that was left behind in this tab. */
export const KeptDraftNote = ({ of, onRestore, onDiscard }: KeptDraftNoteProps) => (
  <div
    role="status"
    className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-warn-soft p-4 text-sm"
  >
    <p className="flex-1 basis-80">
      <span className="font-semibold">You left a draft {of}.</span> This tab keeps it until you put it in force, discard
      it, or close the tab.
    </p>
    <Button size="sm" look="primary" onClick={onRestore}>
      Restore the draft
    </Button>
    <Button size="sm" onClick={onDiscard}>
      Discard it
    </Button>
  </div>
);
