import type { z } from 'zod';
import type { secretSchema } from '#lib/api-schemas';
import { useDirectory } from '../api/directory.js';
import { usePaged } from '../api/paged.js';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { countOf } from '../components/count-of.js';
import { Facts } from '../components/facts.js';
import { PagedList } from '../components/paged-list.js';
import { TimeAgo } from '../components/times.js';

type Secret = z.infer<typeof secretSchema>;
type Binding = NonNullable<Secret['binding']>;

const PURPOSES: Readonly<Record<Binding['purpose'], string>> = {
  tool_arguments: 'argument of tools',
  executor_token: 'token of executors',
  sign_in: 'client secret of an issuer',
  incidents: 'routing key of incidents',
};

/** The tenant's secrets by name, and the destination of each. Their values are never shown. */
export default function SecretsSection() {
  const admin = useSignedIn().person.roles.includes('PlatformAdmin');
  const list = usePaged('/v1/secrets');
  return (
    <>
      <p className="text-sm text-muted">
        A secret goes only where its binding lets it. No page and no answer of the API shows its value.
        {admin && (
          <>
            {' '}
            Store one with <code className="font-mono">countersign secret put</code>, and change its binding with{' '}
            <code className="font-mono">countersign secret bind</code>; a wider binding waits for a second person.
          </>
        )}
      </p>
      <PagedList title="Secrets" list={{ ...list, items: byName(list.items) }} empty="No secret is stored yet.">
        {(versions) => <SecretRow key={versions[0].name} versions={versions} />}
      </PagedList>
    </>
  );
}

type Versions = readonly [Secret, ...Secret[]];

/** The versions of each secret, the newest first. */
function byName(secrets: readonly Secret[]): readonly Versions[] {
  const found = new Map<string, Versions>();
  for (const secret of secrets) found.set(secret.name, [secret, ...(found.get(secret.name) ?? [])]);
  return [...found.values()].map((versions) => {
    const [first, ...others] = versions.toSorted((one, other) => other.version - one.version);
    return first === undefined ? versions : [first, ...others];
  });
}

function SecretRow({ versions }: { readonly versions: Versions }) {
  const { nameOf } = useDirectory();
  const [latest] = versions;
  const { binding } = latest;
  return (
    <li className="flex flex-col gap-3 border-b border-line px-4 py-3 text-sm last:border-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono font-medium">{latest.name}</span>
        {binding === null ? (
          <Badge tone="warn">bound to nothing: it is sent nowhere</Badge>
        ) : (
          <Badge tone="info">{PURPOSES[binding.purpose]}</Badge>
        )}
        <span className="text-muted">
          {countOf(versions.length, 'version')}, the last by{' '}
          <InertText text={nameOf({ kind: 'person', id: latest.created_by })} />, <TimeAgo at={latest.created_at} />
        </span>
      </p>
      {binding !== null && <Bound binding={binding} />}
    </li>
  );
}

function Bound({ binding: { executors, environments, tools } }: { readonly binding: Binding }) {
  const facts = (
    [
      ['Executors', executors],
      ['Every executor of', environments],
      ['Tools', tools],
    ] as const
  ).filter(([, names]) => names.length > 0);
  return facts.length === 0 ? null : (
    <Facts
      facts={facts.map(([name, names]) => [
        name,
        <span key={name} className="font-mono text-xs">
          {names.join(', ')}
        </span>,
      ])}
    />
  );
}
