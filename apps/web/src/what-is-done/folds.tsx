import { createContext, use, useEffect, useId, useMemo, useState, type ReactNode } from 'react';

interface Folds {
  readonly closed: number;
  readonly allOpen: boolean;
  readonly openAll: () => void;
  readonly report: (id: string, closed: boolean) => void;
}

const UNCOUNTED: Folds = { closed: 0, allOpen: false, openAll: () => undefined, report: () => undefined };

const FoldsContext = createContext(UNCOUNTED);

/** Parts beside the decided plan may stay folded. */
export const BesideTheDecision = ({ children }: { readonly children: ReactNode }) => (
  <FoldsContext value={UNCOUNTED}>{children}</FoldsContext>
);

/** Counts the folded parts inside: an approver has opened all of them before (T60). */
export function CountFolds({ children }: { readonly children: ReactNode }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [allOpen, setAllOpen] = useState(false);
  const folds = useMemo<Folds>(
    () => ({
      closed: closed.size,
      allOpen,
      openAll: () => {
        setAllOpen(true);
      },
      report: (id, isClosed) => {
        setClosed((before) => {
          if (before.has(id) === isClosed) return before;
          const after = new Set(before);
          if (isClosed) after.add(id);
          else after.delete(id);
          return after;
        });
      },
    }),
    [closed, allOpen],
  );
  return <FoldsContext value={folds}>{children}</FoldsContext>;
}

/** How many parts are still folded, and the way to open them together. */
export function useFolds(): { readonly closed: number; readonly openAll: () => void } {
  return use(FoldsContext);
}

/** One part that may be folded: whether it is open, and how to open it. */
export function useFold(needed: boolean): { readonly open: boolean; readonly unfold: () => void } {
  const id = useId();
  const { allOpen, report } = use(FoldsContext);
  const [opened, setOpened] = useState(false);
  const open = !needed || opened || allOpen;
  useEffect(() => {
    report(id, !open);
    return () => {
      report(id, false);
    };
  }, [id, open, report]);
  return {
    open,
    unfold: () => {
      setOpened(true);
    },
  };
}
