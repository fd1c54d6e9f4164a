import type { Actor, AuditSink, Outbox, PersonId, Tx } from '#lib/kernel';
import type { SlackFollower } from '#lib/slack';
import { addressesOf } from '../domain/destination.js';
import type { DestinationCheckStore, IncidentSettingsStore } from './incident.ports.js';

const SET_UP_ANEW = 'Slack was set up anew after the last test message. Another test follows.';
const NOT_CONNECTED = 'Slack is not connected: an admin connects it under Settings, Slack.';

/**
 * Follows changes of the Slack set-up. Another app or workspace makes a channel another destination, so its last test is
 * void. Without a workspace no channel answers: no test is needed, and every PlatformAdmin and SecurityReviewer is notified.
 */
export class FollowSlack implements SlackFollower {
  constructor(
    private readonly settings: Pick<IncidentSettingsStore, 'read'>,
    private readonly checks: Pick<DestinationCheckStore, 'all' | 'outdate' | 'save'>,
    private readonly audit: AuditSink,
    private readonly outbox: Outbox,
    private readonly isSlack: (address: string) => boolean,
  ) {}

  async changed(tx: Tx): Promise<void> {
    const tested = [...(await this.checks.all(tx)).keys()];
    await this.checks.outdate(tx, tested.filter(this.isSlack), await tx.now(), SET_UP_ANEW);
  }

  async removed(
    tx: Tx,
    by: { readonly actor: Actor; readonly personId: PersonId },
    workspace: { readonly teamName: string },
  ): Promise<void> {
    const now = await tx.now();
    const known = await this.checks.all(tx);
    await this.checks.outdate(tx, [...known.keys()].filter(this.isSlack), now, NOT_CONNECTED);
    for (const address of addressesOf((await this.settings.read(tx)).destinations).filter(this.isSlack)) {
      await this.checks.save(tx, { address, checkedAt: now, answeredAt: null, error: NOT_CONNECTED });
      if (known.get(address)?.error !== null) continue;
      await this.audit.record(tx, {
        action: 'incident_destination.failed',
        actor: by.actor,
        level: 'full',
        subject: { type: 'tenant', id: tx.tenantId },
        payload: { address, error: NOT_CONNECTED },
      });
    }
    await this.outbox.write(tx, {
      topic: 'slack.removed',
      payload: { person_id: by.personId, team_name: workspace.teamName, at: new Date(now).toISOString() },
    });
  }
}
