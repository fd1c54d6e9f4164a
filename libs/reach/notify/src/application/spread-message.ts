import type { ApprovalRequestId, PersonId, RunId, Tx } from '#lib/kernel';
import { place, type Place, type Showing } from '../domain/place.js';
import { EVERYTHING, type PreferenceStore, type Told } from './notification-preferences.js';
import type {
  Audience,
  NoticeSource,
  OutboxEntry,
  OutboxRepository,
  PushSubscriptions,
  RequestAudience,
  SlackInstallations,
  SlackLinks,
  SlackSettings,
} from './notify.ports.js';

/** Which ends of a request its requester is told of. */
const ENDS = new Set(['granted', 'denied', 'changes_requested', 'expired', 'voided']);
/** And of a run: where it ended, and where it waits for somebody. */
const RUN_ENDS = new Set([
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.rolled_back',
  'run.rollback_failed',
  'run.paused',
]);
/** What makes the headline untrue that said where it waits; told in Slack alone, beside what was said. */
const RUN_GOES_ON = new Set(['run.resumed', 'run.rolling_back']);

/** Decides to whom a message goes, and writes one for each place. */
export class SpreadMessage {
  constructor(
    private readonly outbox: OutboxRepository,
    private readonly audience: Audience,
    private readonly installations: SlackInstallations,
    private readonly links: SlackLinks,
    private readonly subscriptions: PushSubscriptions,
    private readonly preferences: PreferenceStore,
    private readonly notices: readonly NoticeSource[],
  ) {}

  /** @returns the message to the first place, claimed for so long; null where it goes nowhere. */
  async execute(tx: Tx, entry: OutboxEntry, leaseMs: number): Promise<OutboxEntry | null> {
    return this.outbox.spread(tx, entry, [...new Set(await this.#places(tx, entry))], leaseMs);
  }

  async #places(tx: Tx, { topic, payload }: OutboxEntry): Promise<readonly Place[]> {
    switch (topic) {
      case 'approval_request.changed':
      case 'approval_request.reminder': {
        const request = await this.audience.request(tx, payload.request_id as ApprovalRequestId);
        if (request === null) return [];
        return topic === 'approval_request.reminder'
          ? this.#reminder(tx, request, payload.roles?.split(' ') ?? [])
          : this.#request(tx, request, payload.event ?? '');
      }
      case 'run.changed':
        return this.#run(tx, payload.run_id as RunId, payload.event ?? '');
      default:
        return this.#notice(tx, topic, payload);
    }
  }

  async #request(tx: Tx, request: RequestAudience, event: string): Promise<readonly Place[]> {
    const settings = await this.installations.settings(tx);
    return [
      ...(await this.#slack(tx, settings, request.environment, 'subject')),
      ...(event === 'opened' ? await this.#waiting(tx, await this.#reviewers(tx, settings, request), 'requests') : []),
      ...(ENDS.has(event) ? await this.#told(tx, request.requesterPersonId) : []),
    ];
  }

  /** @param roles to whose holders it is escalated: each is told, whoever is on duty. */
  async #reminder(tx: Tx, request: RequestAudience, roles: readonly string[]): Promise<readonly Place[]> {
    const settings = await this.installations.settings(tx);
    const further = roles.length === 0 ? [] : await this.audience.holders(tx, roles);
    const users = settings.installation === null ? [] : await this.links.usersOf(tx, further);
    const people = new Set([...(await this.#reviewers(tx, settings, request)), ...further]);
    const threads = await this.#slack(tx, settings, request.environment, 'thread');
    return [
      ...threads,
      // Who is not on duty has no message of the request in whose thread it could stand.
      ...users
        .filter(({ user }) => !threads.includes(place('slack', user, 'thread')))
        .map(({ user }) => place('slack', user, 'requester')),
      ...(await this.#waiting(tx, [...people], 'reminders')),
    ];
  }

  async #run(tx: Tx, runId: RunId, event: string): Promise<readonly Place[]> {
    const run = await this.audience.run(tx, runId);
    const request = run?.requestId == null ? null : await this.audience.request(tx, run.requestId);
    if (request === null) return [];
    const settings = await this.installations.settings(tx);
    return [
      ...(await this.#slack(tx, settings, request.environment, 'subject')),
      ...(await this.#slack(tx, settings, request.environment, 'thread')),
      ...(RUN_ENDS.has(event) ? await this.#told(tx, request.requesterPersonId) : []),
      ...(RUN_GOES_ON.has(event) ? await this.#toldInSlack(tx, request.requesterPersonId) : []),
    ];
  }

  async #notice(tx: Tx, topic: string, payload: OutboxEntry['payload']): Promise<readonly Place[]> {
    const notice = await this.notices.find((source) => source.topic === topic)?.read(tx, payload);
    if (notice === undefined || notice === null) return [];
    const settings = await this.installations.settings(tx);
    const users = settings.installation === null ? [] : await this.links.usersOf(tx, notice.people);
    const showing = notice.thread === undefined ? 'subject' : 'thread';
    const shown = await this.#slack(tx, settings, notice.environment ?? '', showing);
    return [
      ...shown,
      // People who have it in a thread already are not told beside it.
      ...users
        .filter(({ user }) => !shown.includes(place('slack', user, 'thread')))
        .map(({ user }) => place('slack', user, 'subject')),
      ...(notice.always
        ? await this.#directly(tx, notice.people, 'subject')
        : await this.#waiting(tx, notice.people, notice.told ?? 'requests')),
      ...notice.alsoTo.map((address) =>
        /^[CG][A-Z0-9]{1,31}$/.test(address)
          ? place('slack', address, 'subject')
          : place('address', address, 'subject'),
      ),
    ];
  }

  /** Those on duty where the tenant names them and they are linked; else the channel of the environment. */
  async #slack(
    tx: Tx,
    { installation, onDuty, channels }: SlackSettings,
    environment: string,
    showing: Showing,
  ): Promise<readonly Place[]> {
    if (installation === null) return [];
    const users = onDuty.length === 0 ? [] : await this.links.usersOf(tx, onDuty);
    if (users.length > 0) return users.map(({ user }) => place('slack', user, showing));
    const channel = channels[environment] ?? channels[''];
    return channel === undefined ? [] : [place('slack', channel, showing)];
  }

  /** Mail and Web Push of what waits for people, as far as each of them wants it. */
  async #waiting(tx: Tx, people: readonly PersonId[], told: Told): Promise<readonly Place[]> {
    const set = await this.preferences.of(tx, people);
    const wanted = (id: PersonId, by: 'email' | 'push'): boolean => (set.get(id) ?? EVERYTHING)[by][told];
    const subscriptions = await this.subscriptions.of(
      tx,
      people.filter((id) => wanted(id, 'push')),
    );
    return [
      ...people.filter((id) => wanted(id, 'email')).map((id) => place('email', id, 'subject')),
      ...subscriptions.map(({ id }) => place('push', id, 'subject')),
    ];
  }

  /** Mail and Web Push of what came of one's own. */
  async #directly(tx: Tx, people: readonly PersonId[], showing: Showing): Promise<readonly Place[]> {
    const subscriptions = await this.subscriptions.of(tx, people);
    return [
      ...people.map((id) => place('email', id, showing)),
      ...subscriptions.map(({ id }) => place('push', id, showing)),
    ];
  }

  async #reviewers(tx: Tx, { onDuty }: SlackSettings, request: RequestAudience): Promise<readonly PersonId[]> {
    const roles = request.slots.flatMap((slot) => slot.roles);
    const holders = await this.audience.holders(tx, roles);
    const standIns = await this.audience.standIns(tx, roles, request.excluded);
    const may = [...new Set([...holders, ...standIns])].filter((id) => !request.excluded.includes(id));
    const duty = may.filter((id) => onDuty.includes(id));
    return duty.length === 0 ? may : duty;
  }

  async #told(tx: Tx, personId: PersonId): Promise<readonly Place[]> {
    return [...(await this.#toldInSlack(tx, personId)), ...(await this.#directly(tx, [personId], 'requester'))];
  }

  async #toldInSlack(tx: Tx, personId: PersonId): Promise<readonly Place[]> {
    return (await this.links.usersOf(tx, [personId])).map(({ user }) => place('slack', user, 'requester'));
  }
}
