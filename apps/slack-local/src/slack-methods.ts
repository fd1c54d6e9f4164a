import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { messageProblems, viewProblems } from './slack-limits.js';
import type { Fields, LocalEphemeral, LocalMessage, LocalModal, LocalWorkspace } from './workspace.js';

/** A click may open a modal for this time. */
const TRIGGER_MS = 3_000;

/** The messages of a workspace, and the methods of Slack's Web API on them. Emits `message` for each post. */
export class SlackMethods extends EventEmitter<{ readonly message: [LocalMessage] }> {
  readonly messages: LocalMessage[] = [];
  readonly ephemerals: LocalEphemeral[] = [];
  readonly modals: LocalModal[] = [];
  /** The refused calls, with their errors. */
  readonly refusals: { readonly method: string; readonly error: string; readonly problems: readonly string[] }[] = [];
  readonly #triggers = new Map<string, { readonly user: string; readonly until: number }>();
  readonly #codes = new Set<string>();
  #clock = 0;

  constructor(readonly workspace: LocalWorkspace) {
    super();
  }

  /** The answer of the method, or its error. */
  perform(method: string, fields: Fields): Fields | string {
    switch (method) {
      case 'auth.test':
        return { team_id: this.workspace.teamId, team: this.workspace.teamName, user_id: 'UBOT' };
      case 'oauth.v2.access':
        return this.#exchange(fields);
      case 'users.info': {
        const id = String(fields.user);
        const name = this.workspace.users[id];
        return name === undefined ? 'user_not_found' : { user: { id, name: name.toLowerCase(), real_name: name } };
      }
      case 'conversations.info': {
        const id = String(fields.channel);
        const name = this.workspace.channels[id];
        return name === undefined ? 'channel_not_found' : { channel: { id, name, is_member: true } };
      }
      case 'conversations.open': {
        const user = String(fields.users);
        return user in this.workspace.users ? { channel: { id: directOf(user) } } : 'user_not_found';
      }
      case 'conversations.history':
      case 'conversations.replies':
        return this.#history(fields, method === 'conversations.replies');
      case 'chat.postMessage':
        return this.#post(fields);
      case 'chat.update':
        return this.#update(fields);
      case 'chat.postEphemeral':
        return this.#ephemeral(fields);
      case 'views.open':
        return this.#open(fields);
      default:
        return 'unknown_method';
    }
  }

  #post(fields: Fields): Fields | string {
    const channel = String(fields.channel);
    if (!this.#knows(channel)) return 'channel_not_found';
    const problems = messageProblems(fields);
    if (problems.length > 0) return this.#invalid('chat.postMessage', problems);
    const message: LocalMessage = {
      channel,
      ts: this.ts(),
      threadTs: typeof fields.thread_ts === 'string' ? fields.thread_ts : null,
      text: textOf(fields.text),
      // The checks above have found no fault in the blocks.
      blocks: (fields.blocks ?? []) as readonly Fields[],
      // Slack takes an object, or none.
      metadata: (fields.metadata ?? null) as Fields | null,
      edits: 0,
      at: performance.now(),
    };
    this.messages.push(message);
    this.emit('message', message);
    return { channel, ts: message.ts, message: { text: message.text } };
  }

  #update(fields: Fields): Fields | string {
    const message = this.messages.find(({ channel, ts }) => channel === fields.channel && ts === fields.ts);
    if (message === undefined) return 'message_not_found';
    const problems = messageProblems(fields);
    if (problems.length > 0) return this.#invalid('chat.update', problems);
    message.text = textOf(fields.text);
    // The checks above have found no fault in the blocks.
    message.blocks = (fields.blocks ?? []) as readonly Fields[];
    message.edits += 1;
    return { channel: message.channel, ts: message.ts };
  }

  #ephemeral(fields: Fields): Fields | string {
    const channel = String(fields.channel);
    const user = String(fields.user);
    if (!this.#knows(channel)) return 'channel_not_found';
    if (!(user in this.workspace.users)) return 'user_not_in_channel';
    const problems = messageProblems(fields);
    if (problems.length > 0) return this.#invalid('chat.postEphemeral', problems);
    // The checks above have found no fault in the blocks.
    this.ephemerals.push({ channel, user, text: textOf(fields.text), blocks: (fields.blocks ?? []) as Fields[] });
    return { message_ts: this.ts() };
  }

  #open(fields: Fields): Fields | string {
    const trigger = this.#triggers.get(String(fields.trigger_id));
    if (trigger === undefined) return 'invalid_trigger_id';
    this.#triggers.delete(String(fields.trigger_id));
    if (trigger.until <= Date.now()) return 'expired_trigger_id';
    const problems = viewProblems(fields.view);
    if (problems.length > 0) return this.#invalid('views.open', problems);
    // The checks above have found no fault in the view.
    const modal: LocalModal = { id: `V${randomId()}`, user: trigger.user, view: fields.view as Fields };
    this.modals.push(modal);
    return { view: { ...modal.view, id: modal.id } };
  }

  #history(fields: Fields, replies: boolean): Fields | string {
    const channel = String(fields.channel);
    if (!this.#knows(channel)) return 'channel_not_found';
    const oldest = Number(fields.oldest ?? 0);
    const withMetadata = fields.include_all_metadata === true || fields.include_all_metadata === 'true';
    const found = this.messages.filter(
      (message) =>
        message.channel === channel &&
        Number(message.ts) >= oldest &&
        (replies ? message.threadTs === fields.ts || message.ts === fields.ts : message.threadTs === null),
    );
    return {
      messages: found
        .reverse()
        .map(({ ts, text, metadata }) => ({ ts, text, ...(withMetadata && metadata !== null ? { metadata } : {}) })),
      has_more: false,
    };
  }

  #exchange(fields: Fields): Fields | string {
    const { clientId, clientSecret, appId, botToken, teamId, teamName } = this.workspace;
    if (fields.client_id !== clientId || fields.client_secret !== clientSecret) return 'bad_client_secret';
    if (!this.#codes.delete(String(fields.code))) return 'invalid_code';
    return {
      access_token: botToken,
      app_id: appId,
      bot_user_id: 'UBOT',
      scope: 'chat:write,commands',
      team: { id: teamId, name: teamName },
    };
  }

  #knows(channel: string): boolean {
    return (
      channel in this.workspace.channels || Object.keys(this.workspace.users).some((id) => directOf(id) === channel)
    );
  }

  #invalid(method: string, problems: readonly string[]): string {
    this.refusals.push({ method, error: 'invalid_blocks', problems });
    return 'invalid_blocks';
  }

  /** A trigger id, by which a user's click may open a modal. */
  trigger(user: string): string {
    const id = `${String(Date.now())}.${randomId()}`;
    this.#triggers.set(id, { user, until: Date.now() + TRIGGER_MS });
    return id;
  }

  /** A timestamp in Slack's format. No two are equal. */
  ts(): string {
    this.#clock = Math.max(this.#clock + 1, Date.now() * 1_000);
    return `${String(Math.floor(this.#clock / 1_000_000))}.${String(this.#clock % 1_000_000).padStart(6, '0')}`;
  }

  /** A code of a consent, for one exchange. */
  consent(): string {
    const code = randomId();
    this.#codes.add(code);
    return code;
  }
}

export const directOf = (user: string): string => `D${user.slice(1)}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const randomId = (): string => randomBytes(6).toString('hex').toUpperCase();
