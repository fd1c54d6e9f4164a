import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import type { SlackContent } from '../domain/block-kit.js';
import { sampleApp, sampleInstalled } from './fake-slack-app.js';
import { SlackCallError, type Installed, type SlackApi, type SlackApp } from './slack.ports.js';

interface FakePost {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | null;
  readonly id: string;
  readonly content: SlackContent;
}

/** Every ts is later than any moment that a test looks back to. */
const FIRST_TS = 4_000_000_000;

/** A workspace of Slack in memory, with its users and channels by id. */
export class FakeSlackApi implements SlackApi {
  readonly posts = new Map<string, FakePost>();
  readonly ephemerals: { readonly channel: string; readonly user: string; readonly content: SlackContent }[] = [];
  readonly modals: ModalView[] = [];
  /** The methods that were called, in order. */
  readonly calls: (keyof SlackApi)[] = [];
  /** The errors of the next calls of a method. */
  readonly failures: { readonly method: keyof SlackApi; readonly error: Error }[] = [];
  /** Good for one modal each. */
  readonly triggers = new Set<string>();
  readonly #codes = new Set<string>();

  constructor(
    private readonly users: Readonly<Record<string, string>> = { UADA: 'Ada', UBEN: 'Ben' },
    private readonly channels: Readonly<Record<string, string>> = { C1: 'production', C2: 'changes' },
    private readonly app: SlackApp = sampleApp(),
    private readonly installed: Installed = sampleInstalled(),
  ) {}

  post(token: string, message: Omit<FakePost, 'ts'>): Promise<{ readonly channel: string; readonly ts: string }> {
    return this.#call('post', token, () => {
      const { channel } = message;
      this.#known(channel in this.channels || this.#isDirect(channel), 'channel_not_found');
      const ts = `${String(FIRST_TS + this.posts.size)}.000100`;
      this.posts.set(ts, { ...message, ts });
      return { channel, ts };
    });
  }

  update(token: string, at: { channel: string; ts: string }, content: SlackContent, id: string): Promise<void> {
    return this.#call('update', token, () => {
      const post = this.posts.get(at.ts);
      if (post?.channel !== at.channel) throw new SlackCallError('message_not_found', false);
      this.posts.set(at.ts, { ...post, content, id });
    });
  }

  findOwn(
    token: string,
    { channel, threadTs, since }: { channel: string; threadTs: string | null; since: number },
    id: string,
  ): Promise<string | null> {
    return this.#call('findOwn', token, () => {
      const found = [...this.posts.values()].find(
        (post) =>
          post.channel === channel && post.threadTs === threadTs && post.id === id && Number(post.ts) * 1_000 >= since,
      );
      return found?.ts ?? null;
    });
  }

  openDirect(token: string, user: string): Promise<string> {
    return this.#call('openDirect', token, () => {
      this.#known(user in this.users, 'user_not_found');
      return `D${user.slice(1)}`;
    });
  }

  postEphemeral(token: string, to: { channel: string; user: string }, content: SlackContent): Promise<void> {
    return this.#call('postEphemeral', token, () => {
      this.#known(to.user in this.users, 'user_not_in_channel');
      this.ephemerals.push({ ...to, content });
    });
  }

  openModal(token: string, trigger: string, view: ModalView): Promise<void> {
    return this.#call('openModal', token, () => {
      this.#known(this.triggers.delete(trigger), 'invalid_trigger_id');
      this.modals.push(view);
    });
  }

  userName(token: string, user: string): Promise<string> {
    return this.#call('userName', token, () => {
      const name = this.users[user];
      if (name === undefined) throw new SlackCallError('user_not_found', false);
      return `${name} (${name.toLowerCase()})`;
    });
  }

  workspaceOf(token: string): Promise<{ readonly teamId: string; readonly teamName: string }> {
    const { teamId, teamName } = this.installed;
    return this.#call('workspaceOf', token, () => ({ teamId, teamName }));
  }

  channelName(token: string, channel: string): Promise<string | null> {
    return this.#call('channelName', token, () => {
      const name = this.channels[channel];
      if (name === undefined) throw new SlackCallError('channel_not_found', false);
      return name;
    });
  }

  exchangeCode(app: SlackApp, code: string): Promise<Installed> {
    return this.#call('exchangeCode', this.installed.botToken, () => {
      this.#known(app.clientSecret === this.app.clientSecret, 'bad_client_secret');
      this.#known(this.#codes.delete(code), 'invalid_code');
      return this.installed;
    });
  }

  /** A code of a consent, for one exchange. */
  consent(): string {
    const code = randomUUID();
    this.#codes.add(code);
    return code;
  }

  /** The texts of a channel or a thread, in order. */
  texts(channel: string, threadTs: string | null = null): string[] {
    return [...this.posts.values()]
      .filter((post) => post.channel === channel && post.threadTs === threadTs)
      .map(({ content }) => content.text);
  }

  // oxlint-disable-next-line typescript/require-await -- it rejects rather than throws
  async #call<Answer>(method: keyof SlackApi, token: string, answer: () => Answer): Promise<Answer> {
    this.calls.push(method);
    const index = this.failures.findIndex((failure) => failure.method === method);
    const [failure] = index < 0 ? [] : this.failures.splice(index, 1);
    if (failure !== undefined) throw failure.error;
    this.#known(token === this.installed.botToken, 'invalid_auth');
    return answer();
  }

  #isDirect(channel: string): boolean {
    return channel.startsWith('D') && `U${channel.slice(1)}` in this.users;
  }

  #known(known: boolean, code: string): void {
    if (!known) throw new SlackCallError(code, false);
  }
}
