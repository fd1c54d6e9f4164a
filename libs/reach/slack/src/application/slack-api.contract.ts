import { newId } from '#lib/kernel';
import type { ModalView } from '@slack/types';
import { callMessage, message } from '../../../delivery/src/domain/fake-request-message.js';
import { renderModal, renderWord } from '../domain/render-replies.js';
import type { Installed, SlackApi, SlackApp } from './slack.ports.js';

/** The reason for which Slack refuses the next post. */
export type SlackRefusal = { readonly error: string } | { readonly waitSeconds: number } | 'hangs up';

/** A workspace with the users UADA and UBEN and the channels C1 and C2. */
export interface SlackSite {
  readonly api: SlackApi;
  readonly app: SlackApp;
  readonly installed: Installed;
  /** The texts of a channel or a thread, in order. */
  texts(channel: string, threadTs?: string): readonly string[];
  /** The texts that this user alone sees. */
  whispers(user: string): readonly string[];
  modals(): readonly unknown[];
  /** A user's click, which may open one modal. */
  trigger(user: string): string;
  /** A code of a consent, for one exchange. */
  consent(): string;
  /** A user deletes a post. */
  delete(ts: string): void;
  refuseNextPost(refusal: SlackRefusal): void;
  /** The next post does not come too soon after the last. */
  freePace(): void;
  close(): Promise<void>;
}

const REDIRECT = 'https://countersign.example/slack/oauth/callback';

/** The contract of {@link SlackApi}. */
export function describeSlackApi(name: string, open: () => Promise<SlackSite>): void {
  describe(`${name} keeps the contract of SlackApi`, () => {
    let site: SlackSite;
    let api: SlackApi;
    let token: string;
    beforeEach(async () => {
      site = await open();
      ({ api } = site);
      ({ botToken: token } = site.installed);
    });
    afterEach(() => site.close());

    const post = (text: string, channel = 'C1', threadTs: string | null = null, id: string = newId()) => {
      site.freePace();
      return api.post(token, { channel, threadTs, content: renderWord(text), id });
    };
    const refused = (call: Promise<unknown>, code: string) =>
      expect(call).rejects.toMatchObject({ name: 'SlackCallError', code, transient: false, retryAfterMs: null });

    it('posts in a channel and in the thread of a message, and changes a post in place', async () => {
      const first = await post('first');
      expect(first).toEqual({ channel: 'C1', ts: expect.any(String) as string });
      const reply = await post('reply', 'C1', first.ts);
      await api.update(token, first, renderWord('changed'), newId());
      await api.update(token, reply, renderWord('changed too'), newId());
      expect([site.texts('C1'), site.texts('C1', first.ts)]).toEqual([['changed'], ['changed too']]);
    });

    it('refuses an unknown channel, and a post that somebody deleted', async () => {
      await refused(post('lost', 'C9'), 'channel_not_found');
      const at = await post('first');
      site.delete(at.ts);
      await refused(api.update(token, at, renderWord('changed'), newId()), 'message_not_found');
    });

    it('finds a post of ours by its id, where it was looked for', async () => {
      const [id, replyId] = [newId(), newId()];
      const first = await post('first', 'C1', null, id);
      const reply = await post('reply', 'C1', first.ts, replyId);
      const find = (of: string, where: { channel?: string; threadTs?: string; since?: number } = {}) =>
        api.findOwn(token, { channel: 'C1', threadTs: null, since: 0, ...where }, of);
      expect(await find(id)).toBe(first.ts);
      expect(await find(replyId, { threadTs: first.ts })).toBe(reply.ts);
      expect([await find(newId()), await find(replyId), await find(id, { channel: 'C2' })]).toEqual([null, null, null]);
      expect(await find(id, { since: (Number(first.ts) + 1) * 1_000 })).toBeNull();
    });

    it('opens the direct conversation with a user, and posts there', async () => {
      const channel = await api.openDirect(token, 'UADA');
      expect(await post('hello', channel)).toMatchObject({ channel });
      expect(site.texts(channel)).toEqual(['hello']);
      expect(await api.openDirect(token, 'UBEN')).not.toBe(channel);
      await refused(api.openDirect(token, 'UNOBODY'), 'user_not_found');
    });

    it('shows an ephemeral message to its user alone', async () => {
      await api.postEphemeral(token, { channel: 'C1', user: 'UADA' }, renderWord('for you'));
      expect([site.whispers('UADA'), site.whispers('UBEN'), site.texts('C1')]).toEqual([['for you'], [], []]);
      await refused(
        api.postEphemeral(token, { channel: 'C1', user: 'UNOBODY' }, renderWord('for nobody')),
        'user_not_in_channel',
      );
    });

    const long = { ...callMessage().call, arguments: { command: 'x'.repeat(15_000) } };
    it.each([
      ['with a field', 'reject', message()],
      ['that only leads to the page', 'confirm', callMessage({ call: long })],
    ] as const)('opens one modal for a click: %s', async (_what, action, about) => {
      const context = { value: 'v1', channel: 'C1' };
      const view: ModalView = renderModal(action, context, about, 'https://countersign.example');
      const trigger = site.trigger('UADA');
      await api.openModal(token, trigger, view);
      expect(site.modals()).toEqual([view]);
      await refused(api.openModal(token, trigger, view), 'invalid_trigger_id');
    });

    it('names users, channels and the workspace', async () => {
      const { teamId, teamName } = site.installed;
      expect(await api.userName(token, 'UADA')).toBe('Ada (ada)');
      expect(await api.channelName(token, 'C1')).toBe('production');
      expect(await api.workspaceOf(token)).toEqual({ teamId, teamName });
      await refused(api.userName(token, 'UNOBODY'), 'user_not_found');
      await refused(api.channelName(token, 'C9'), 'channel_not_found');
    });

    it('does nothing with a token that Slack does not know', async () => {
      await api.workspaceOf(token);
      await refused(api.workspaceOf('xoxb-other'), 'invalid_auth');
      const message = { channel: 'C1', threadTs: null, content: renderWord('x'), id: newId() };
      await refused(api.post('xoxb-other', message), 'invalid_auth');
      expect(site.texts('C1')).toEqual([]);
    });

    it('exchanges a code for the installation once, with the secret of the app', async () => {
      const code = site.consent();
      const wrong = { ...site.app, clientSecret: 'd'.repeat(32) };
      await refused(api.exchangeCode(wrong, code, REDIRECT), 'bad_client_secret');
      expect(await api.exchangeCode(site.app, code, REDIRECT)).toEqual(site.installed);
      await refused(api.exchangeCode(site.app, code, REDIRECT), 'invalid_code');
    });

    it.each<[string, SlackRefusal, object]>([
      ['to wait', { waitSeconds: 3 }, { code: 'rate_limited', transient: true, retryAfterMs: 3_000 }],
      ['for a moment', { error: 'internal_error' }, { code: 'internal_error', transient: true, retryAfterMs: null }],
      ['for good', { error: 'is_archived' }, { code: 'is_archived', transient: false, retryAfterMs: null }],
      ['by hanging up', 'hangs up', { code: 'unreachable', transient: true, retryAfterMs: null }],
    ])('tells whether a later attempt may work if Slack refuses %s', async (_how, refusal, error) => {
      site.refuseNextPost(refusal);
      await expect(post('first')).rejects.toMatchObject({ name: 'SlackCallError', ...error });
      await post('second');
      expect(site.texts('C1')).toEqual(['second']);
    });
  });
}
