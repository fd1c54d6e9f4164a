import { ownMember } from '#lib/canonical';
import { PLATFORM_ADMIN } from '#lib/formats';
import type { OutboxPayloads, Tx } from '#lib/kernel';
import type { RecipientDirectory, NoticeSource, NoticeToTell } from './delivery.ports.js';

/** The follower, and the place of its error. */
const FOLLOWERS: Readonly<Record<string, readonly [title: string, help: string]>> = {
  webhook: ['Webhooks get no new events', 'The log of the worker has the error. Ask the operator of the server.'],
  automation: ['Events start no automations', 'The log of the worker has the error. Ask the operator of the server.'],
  lifecycle_hook: [
    'Events start no lifecycle hooks',
    'The log of the worker has the error. Ask the operator of the server.',
  ],
  ocsf_file: [
    'The export to the SIEM file is stopped',
    'The log of the worker has the error. Ask the operator of the server.',
  ],
  siem_collector: [
    'The SIEM collector takes no events',
    'The settings show the error, under SIEM. Correct the collector, or change its address or token.',
  ],
};

/** Tells every PlatformAdmin that a follower of the audit log keeps failing at the same entry. It cannot be switched off. */
export class LogNotices implements NoticeSource<'log.follower_failing'> {
  /** @param publicUrl the address at which people reach Countersign. */
  constructor(
    private readonly directory: Pick<RecipientDirectory, 'holders'>,
    private readonly publicUrl: string,
  ) {}

  async read(tx: Tx, { follower, at }: OutboxPayloads['log.follower_failing']): Promise<NoticeToTell | null> {
    const known = ownMember(FOLLOWERS, follower);
    if (known === undefined) return null;
    const [title, help] = known;
    return {
      id: `${follower}:${at}`,
      title,
      lines: [
        'It has failed for about ten minutes at the same entry of the audit log. No event is lost: it is tried again every ten minutes.',
        help,
      ],
      done: null,
      words: null,
      url: this.publicUrl,
      environment: null,
      people: await this.directory.holders(tx, [PLATFORM_ADMIN]),
      always: true,
      alsoTo: [],
    };
  }
}
