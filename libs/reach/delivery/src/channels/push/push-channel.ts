import type { PersonId, Tx } from '#lib/kernel';
import { visibleText } from '#lib/words';
import type {
  Channel,
  Delivery,
  AttemptedEntry,
  Reachable,
  Recipients,
  Sent,
} from '../../application/delivery.ports.js';
import type { ReadContent } from '../../application/read-content.js';
import type { Destination } from '../../domain/destination.js';
import type { RequestMessage } from '../../domain/request-message.js';
import { clip } from '../../domain/rich-text.js';
import { subjectOfMessage } from '../../domain/subject-of-message.js';
import type { PushSender, PushSubscriptions } from './push.ports.js';

const TITLE_CHARACTERS = 200;

/** Web Push to a person's browsers: the title and the page. A subscription that its push service no longer knows ends. */
export class PushChannel implements Channel {
  readonly name = 'push';
  readonly title = 'browser notifications';
  /** The id of a subscription. */
  readonly address = /^[0-9a-f-]{36}$/;
  readonly chosen = true;
  readonly edits = false;

  constructor(
    private readonly contents: ReadContent,
    private readonly subscriptions: PushSubscriptions,
    private readonly sender: PushSender,
  ) {}

  async reached(tx: Tx, people: readonly PersonId[]): Promise<readonly PersonId[]> {
    return (await this.subscriptions.of(tx, people)).map(({ personId }) => personId);
  }

  async destinations(tx: Tx, { groups, browsers }: Recipients): Promise<readonly Reachable[]> {
    const told = groups.flatMap(({ alone, people, kind }) =>
      alone === null ? [] : [{ showing: alone, people, kind }],
    );
    const people = told.flatMap((group) => group.people);
    const subscriptions = browsers ?? (await this.subscriptions.of(tx, people));
    return told.flatMap(({ showing, people: group, kind }) =>
      subscriptions
        .filter(({ personId }) => group.includes(personId))
        .map(({ id, personId }) => ({
          to: { channel: this.name, address: id, showing },
          ...(kind === null ? {} : { ifWanted: { by: personId, kind } }),
        })),
    );
  }

  async prepare(
    tx: Tx,
    entry: AttemptedEntry,
    to: Destination,
    known?: RequestMessage | null,
  ): Promise<Delivery | (() => Promise<Sent>)> {
    const content = await this.contents.execute(tx, entry, to, known);
    const [subscription, key] = [await this.subscriptions.find(tx, to.address), await this.subscriptions.key(tx)];
    if (content === null || subscription === null) return { kind: 'delivered' };
    const payload = JSON.stringify({
      title: clip(visibleText(content.title), TITLE_CHARACTERS),
      url: content.url,
      tag: subjectOfMessage(entry) ?? entry.id,
    });
    return async () => {
      const sent = await this.sender.send(tx.tenantId, key, subscription, payload);
      if (sent !== 'gone') return { delivery: sent };
      const record = async (after: Tx): Promise<void> => {
        await this.subscriptions.end(after, subscription.id, null);
      };
      return { delivery: { kind: 'delivered' }, record };
    };
  }
}
