import { Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../components/button.js';

/** A secret that is shown this once. */
export function ShownOnce({ label, secret }: { readonly label: string; readonly secret: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div role="status" className="flex flex-col gap-2 rounded-lg border border-line bg-warn-soft p-3 text-sm">
      <p className="font-medium">
        {label} {secret.includes('\n') ? 'They are' : 'It is'} not shown again.
      </p>
      <code className="font-mono text-xs break-all whitespace-pre-wrap">{secret}</code>
      <div>
        <Button
          size="sm"
          onClick={() => {
            void navigator.clipboard.writeText(secret).then(() => {
              setCopied(true);
            });
          }}
        >
          <Copy aria-hidden className="size-4" /> {copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}
