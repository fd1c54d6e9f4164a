import { PLATFORM_ADMIN } from '#lib/formats';
import type { OutboxPayloads, Tx } from '#lib/kernel';
import type { RecipientDirectory, NoticeSource, NoticeToTell } from './delivery.ports.js';

/** Tells every PlatformAdmin of a link that the operator made on the server. It cannot be switched off. */
export class OperatorNotices implements NoticeSource<'operator.let_in'> {
  /** @param publicUrl the address at which people reach Countersign. */
  constructor(
    private readonly directory: Pick<RecipientDirectory, 'holders' | 'people'>,
    private readonly publicUrl: string,
  ) {}

  async read(
    tx: Tx,
    { person_id: personId, as_admin: asAdmin, until }: OutboxPayloads['operator.let_in'],
  ): Promise<NoticeToTell | null> {
    const [person] = await this.directory.people(tx, [personId]);
    if (person === undefined) return null;
    return {
      id: `${personId}:${until}`,
      title: `The operator of the server made a link for ${person.displayName}`,
      lines: [
        asAdmin === 'yes'
          ? `It lets ${person.email} in again as a ${PLATFORM_ADMIN}. Once it is used, their former passkeys, tokens and sessions end.`
          : `It lets ${person.email} in, with a vote of their own.`,
        `It works once, until ${until.slice(0, 16).replace('T', ' ')} UTC. No admin has seen it.`,
        'If you did not expect it: withdraw the invitation under Settings, People and roles, and ask the operator.',
      ],
      done: null,
      words: null,
      url: `${this.publicUrl}/settings/people`,
      environment: null,
      people: await this.directory.holders(tx, [PLATFORM_ADMIN]),
      always: true,
      alsoTo: [],
    };
  }
}
