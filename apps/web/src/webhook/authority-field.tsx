import { useState } from 'react';
import { Button } from '../components/button.js';
import { Field } from '../components/field.js';

interface AuthorityFieldProps {
  /** Certificates in PEM; null for the public authorities. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** A file of certificates; without one, the public authorities vouch for a receiver. */
export function AuthorityField({ value, onChange }: AuthorityFieldProps) {
  const [file, setFile] = useState<string | null>(null);
  if (value !== null)
    return (
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span>
          <span className="font-medium">Authority:</span> {file ?? `${certificatesIn(value)} of your own`}. The receiver
          is checked against it only.
        </span>
        <Button
          size="sm"
          onClick={() => {
            setFile(null);
            onChange(null);
          }}
        >
          Use public authorities
        </Button>
      </div>
    );
  return (
    <Field
      label="Authority of your own"
      hint="A PEM file, if your own authority signed the receiver’s certificate. Otherwise leave it empty."
    >
      {(control) => (
        <input
          {...control}
          type="file"
          accept=".pem,.crt,.cer"
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            if (chosen === undefined) return;
            setFile(chosen.name);
            void chosen.text().then(onChange);
          }}
        />
      )}
    </Field>
  );
}

const certificatesIn = (pem: string): string => {
  const count = pem.split('-----BEGIN CERTIFICATE-----').length - 1;
  return count === 1 ? 'a certificate' : `${String(count)} certificates`;
};
