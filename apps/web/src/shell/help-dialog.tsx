import { Dialog } from '../components/dialog.js';
import { NAVIGATION_ITEMS } from './navigation.js';

const Key = ({ children }: { readonly children: string }) => (
  <kbd className="inline-grid min-w-6 place-items-center rounded-md border border-line-strong bg-sunken px-1.5 font-mono text-xs">
    {children}
  </kbd>
);

const OTHERS: readonly (readonly [readonly string[], string])[] = [
  [['j'], 'Next row of a list'],
  [['k'], 'Row before'],
  [['Enter'], 'Open the row'],
  [['/'], 'Go to anything (also Ctrl K)'],
  [['H'], 'Halt'],
  [['Esc'], 'Close'],
  [['?'], 'This help'],
];

/** Every key that does something. */
export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const items = NAVIGATION_ITEMS.map(({ key, name }) => [['g', key], name] as const);
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="grid grid-cols-1 gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
        {[...items, ...OTHERS].map(([keys, what]) => (
          <div key={what} className="flex items-center justify-between gap-4">
            <dt>{what}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
