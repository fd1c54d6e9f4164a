import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { NotificationPreferences } from '#lib/api-schemas';
import { useChannelMissing, useChannelTitles } from '../api/channel-titles.js';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { useChange } from './use-change.js';

const PATH = '/v1/notification-preferences';
const TOLD = [
  ['requests', 'Requests and changes that wait for me'],
  ['reminders', 'Reminders of them'],
  ['comments', 'Comments that concern me'],
] as const;

/** The notifications that the reader gets; each choice is kept at once. */
export function Preferences() {
  const titleOf = useChannelTitles();
  const missingOf = useChannelMissing();
  const set = useQuery(queryOf(PATH));
  const put = useChange((body: NotificationPreferences) => api.put(PATH, { body }), PATH);
  // At once: the box would spring back until the mutation is under way.
  const [wanted, setWanted] = useState<NotificationPreferences | null>(null);
  const shown = wanted ?? set.data;
  return (
    <Card title="What I am told">
      {set.error !== null && <ErrorNote error={set.error} retry={() => void set.refetch()} />}
      {put.error !== null && <ErrorNote error={put.error} />}
      {set.isPending && <SkeletonRows rows={2} />}
      {shown !== undefined && (
        <div className="grid gap-4 sm:grid-cols-2">
          {Object.entries(shown).map(([channel, preference]) => (
            <fieldset key={channel} className="flex flex-col gap-1" disabled={wanted !== null}>
              <legend className="mb-1 text-sm font-medium first-letter:uppercase">{titleOf(channel)}</legend>
              <NothingSent missing={missingOf(channel)} />
              {TOLD.map(([told, label]) => (
                <label key={told} className="flex min-h-8 items-center gap-2 text-sm">
                  <input
                    type="checkbox"
                    checked={preference[told]}
                    onChange={({ target }) => {
                      const next = { ...shown, [channel]: { ...preference, [told]: target.checked } };
                      setWanted(next);
                      put.mutate(next, { onSettled: () => setWanted(null) });
                    }}
                  />
                  {label}
                </label>
              ))}
            </fieldset>
          ))}
        </div>
      )}
      <p className="mt-3 text-sm text-muted">
        These settings change neither messages to shared addresses nor the people who are notified of an incident. You
        are always told how your own requests were decided.
      </p>
    </Card>
  );
}

const NothingSent = ({ missing }: { readonly missing: string | null }) =>
  missing === null ? null : (
    <p className="text-sm text-warn">Nothing is sent: this installation lacks {missing}. Ask its operator.</p>
  );
