import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { TextField } from '../components/text-field.js';
import { EntryFrame } from './entry-frame.js';
import { EntryProblem } from './entry-problem.js';
import { signInOptions } from './sign-in-options.js';
import { slugOf } from './slug-of.js';

/** Founds an organisation with the bootstrap token of the server; its first administrator goes on to make a passkey. */
export function Component() {
  const navigate = useNavigate();
  const options = useQuery(signInOptions(''));
  const [token, setToken] = useState('');
  const [name, setName] = useState('');
  /** Null as long as it follows the name. */
  const [slug, setSlug] = useState<string | null>(null);
  const [displayName, setDisplayName] = useState('');
  const [email, setEmail] = useState('');
  const found = useMutation({
    mutationFn: () =>
      api.post('/v1/bootstrap', {
        body: {
          bootstrap_token: token.trim(),
          tenant: { slug: slug ?? slugOf(name), name: name.trim() },
          admin: { email: email.trim(), display_name: displayName.trim() },
        },
      }),
    // In the fragment, which stays in this browser: a reload keeps the step.
    onSuccess: ({ enrolment }) => {
      void navigate(`/invitation?founding=1#${enrolment.enrolment_token}`, { replace: true });
    },
  });
  if (options.data?.passkeys === false && !options.data.founded) return <NoPasskeysHere />;
  if (options.data === undefined) return options.error === null ? null : <Unreachable error={options.error} />;
  return (
    <EntryFrame
      title={options.data.founded ? 'Found another organisation' : 'Set up Countersign'}
      step="Step 1 of 2"
      lead={
        options.data.founded
          ? 'Every organisation has people, agents and rules of its own. It takes a new bootstrap token of the server.'
          : 'Agents ask, people decide. Name your organisation, and become its first administrator.'
      }
    >
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          found.mutate();
        }}
      >
        <TextField
          label="Bootstrap token"
          required
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          placeholder="cs_b_…"
          value={token}
          onChange={setToken}
        />
        <WhereTheTokenIs fresh={!options.data.founded} />
        <TextField
          label="Organisation"
          required
          maxLength={200}
          autoComplete="organization"
          placeholder="Acme"
          value={name}
          onChange={setName}
        />
        <TextField
          label="Short name"
          hint="Lower-case letters, digits and hyphens. It cannot be changed."
          required
          pattern="[a-z0-9]([a-z0-9\-]{0,61}[a-z0-9])?"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          placeholder="acme"
          value={slug ?? slugOf(name)}
          onChange={setSlug}
        />
        <TextField
          label="Your name"
          required
          maxLength={200}
          autoComplete="name"
          value={displayName}
          onChange={setDisplayName}
        />
        <TextField label="Your e-mail" type="email" required autoComplete="email" value={email} onChange={setEmail} />
        <EntryProblem error={found.error} />
        <Button type="submit" look="primary" busy={found.isPending}>
          Continue
        </Button>
      </form>
    </EntryFrame>
  );
}

function WhereTheTokenIs({ fresh }: { readonly fresh: boolean }) {
  return (
    <div className="-mt-3 text-sm text-muted">
      {fresh ? (
        <>
          Countersign wrote it on the machine it runs on, to{' '}
          <code className="font-mono text-xs text-ink">.countersign/bootstrap-token</code> in its folder. The line that
          it printed at its start names the file. The token works once, for a day.
        </>
      ) : (
        <>The operator makes one on the server. It works once, for a day.</>
      )}{' '}
      A new one: <code className="font-mono text-xs text-ink">countersign bootstrap</code>
    </div>
  );
}

/** Browsers give passkeys to https and to localhost; at any other address, the command line founds. */
function NoPasskeysHere() {
  return (
    <EntryFrame title="This address takes no passkeys">
      <p className="text-sm text-muted">
        Browsers give passkeys to https addresses with a host name, and to localhost. Whoever runs Countersign here sets{' '}
        <code className="font-mono text-xs text-ink">COUNTERSIGN_PUBLIC_URL</code> to such an address and starts it
        again. Or found the organisation on the server, with{' '}
        <code className="font-mono text-xs text-ink">countersign found --help</code>
      </p>
    </EntryFrame>
  );
}

function Unreachable({ error }: { readonly error: unknown }) {
  return (
    <EntryFrame title="Countersign does not answer">
      <EntryProblem error={error} />
    </EntryFrame>
  );
}
