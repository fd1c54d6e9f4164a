import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { useSignedIn } from '../api/browser-session.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { EnvironmentLabel } from '../components/environment-label.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { ExecutorsCard } from './executors-card.js';
import { useChange } from './use-change.js';

/** The environments of the tenant. */
export default function EnvironmentsSection() {
  const admin = useSignedIn().person.roles.includes('PlatformAdmin');
  const environments = useQuery(queryOf('/v1/environments', { query: { limit: 200 } }));
  const [name, setName] = useState('');
  const [production, setProduction] = useState(true);
  const add = useChange(
    () => api.post('/v1/environments', { body: { name: name.trim(), production } }),
    '/v1/environments',
  );
  return (
    <>
      {admin && (
        <Card title="Add an environment">
          <form
            className="flex flex-wrap items-end gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              add.mutate(undefined, {
                onSuccess: () => {
                  setName('');
                },
              });
            }}
          >
            <TextField label="Name" required value={name} onChange={setName} />
            <label className="inline-flex h-10 items-center gap-2 text-sm">
              <input
                type="checkbox"
                checked={production}
                onChange={(event) => {
                  setProduction(event.target.checked);
                }}
              />
              counts as production
            </label>
            <Button type="submit" look="primary" busy={add.isPending}>
              Add
            </Button>
          </form>
          {add.error !== null && <ErrorNote error={add.error} />}
        </Card>
      )}
      {admin && (
        <p className="flex flex-wrap gap-3 text-sm">
          <Link to="/configuration/environments" className="text-accent underline">
            Environments as YAML
          </Link>
          <Link to="/configuration/executors" className="text-accent underline">
            Executors as YAML
          </Link>
        </p>
      )}
      <Card title="Environments" flush>
        {environments.isPending && <SkeletonRows rows={3} className="h-10" />}
        {environments.error !== null && (
          <div className="p-4">
            <ErrorNote error={environments.error} retry={() => void environments.refetch()} />
          </div>
        )}
        <ul>
          {environments.data?.items.map((each) => (
            <li key={each.id} className="flex items-center gap-3 border-b border-line px-4 py-3 text-sm last:border-0">
              <EnvironmentLabel name={each.name} production={each.production} />
              <span className="text-muted">
                changed <TimeAgo at={each.updated_at} />
              </span>
            </li>
          ))}
        </ul>
      </Card>
      {environments.data?.items.map((each) => (
        <ExecutorsCard key={each.id} environment={each.name} admin={admin} />
      ))}
    </>
  );
}
