import { Copy, Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.js';

/** Ten codes that are shown this once. One goes on when one has them. */
export function RecoveryCodes({
  codes,
  account,
  done,
  onSaved,
}: {
  readonly codes: readonly string[];
  /** The owner's name; for the file. */
  readonly account: string;
  /** The label of the button that goes on. */
  readonly done: string;
  readonly onSaved: () => void;
}) {
  const [copied, setCopied] = useState(false);
  const [saved, setSaved] = useState(false);
  const text = `Countersign recovery codes of ${account}\nEach works once, in place of a lost passkey.\n\n${codes.join('\n')}\n`;
  return (
    <>
      <ul className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-lg border border-line bg-sunken p-4 font-mono text-xs whitespace-nowrap">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => {
            download(text);
          }}
        >
          <Download aria-hidden className="size-4" /> Download
        </Button>
        <Button
          onClick={() => {
            void navigator.clipboard.writeText(text).then(() => {
              setCopied(true);
            });
          }}
        >
          <Copy aria-hidden className="size-4" /> {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          className="mt-0.5 size-4 accent-accent"
          checked={saved}
          onChange={(event) => {
            setSaved(event.target.checked);
          }}
        />
        I have saved them where I find them without this device.
      </label>
      <Button look="primary" disabled={!saved} onClick={onSaved}>
        {done}
      </Button>
    </>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'countersign-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(url);
}
