import { newId, type PersonId, type PersonPrincipal, type TaskId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Author, Comment, Subject, Via } from '../domain/comment.js';
import type { CommentId } from '../domain/ids.js';
import type { CommentRepository, RecipientRepository, Topic } from './conversation.ports.js';

export type RequestTopic = Extract<Topic, { readonly type: 'approval_request' }>;
export type ChangeTopic = Extract<Topic, { readonly type: 'change_request' }>;

/** The repositories, and the rows of other libraries, in the world's tenant `home`. */
export interface ConversationOpened {
  readonly world: ContractWorld;
  readonly comments: CommentRepository;
  readonly recipients: RecipientRepository;
  /** An open request of the agent in production, for a plan of its own. It belongs to a new task, unless one is named. */
  newRequest(taskId?: TaskId): Promise<RequestTopic>;
  /** A change that the admin asked for. */
  newChange(): Promise<ChangeTopic>;
  review(request: RequestTopic, by: PersonPrincipal, at: number): Promise<void>;
  claim(request: RequestTopic, by: PersonPrincipal): Promise<void>;
  newPerson(displayName: string): Promise<PersonPrincipal>;
  disable(person: PersonPrincipal): Promise<void>;
}

const START = Date.UTC(2026, 0, 5, 8);
const API: Via = { kind: 'api' };
const ALL = { limit: 50, after: null };

/** The contract of the repositories of comments and their recipients. */
export function describeConversation(name: string, open: () => Promise<ConversationOpened>): void {
  describe(`${name} keeps the contract of CommentRepository and RecipientRepository`, () => {
    let opened: ConversationOpened;
    let world: ContractWorld;
    let comments: CommentRepository;
    let recipients: RecipientRepository;
    beforeAll(async () => {
      opened = await open();
      ({ world, comments, recipients } = opened);
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const subjectOf = (topic: Topic): Subject =>
      topic.type === 'change_request'
        ? { type: 'change_request', id: topic.id }
        : { type: 'approval_request', id: topic.id };
    const byPerson = ({ personId }: PersonPrincipal): Author => ({ kind: 'person', id: personId, onBehalfOf: null });
    const byAgent = (): Author => ({ kind: 'agent', id: world.home.agent.agentId, onBehalfOf: null });
    /** Keeps a comment, `at` milliseconds after the first. */
    const said = async (
      topic: Topic,
      author: Author,
      at = 0,
      { body = 'Why this image?', via = API }: { readonly body?: string; readonly via?: Via } = {},
    ): Promise<Comment> => {
      const { agent, owner } = world.home;
      const { credentialId } = author.kind === 'agent' ? agent : owner;
      const id = newId<CommentId>();
      const comment = { id, subject: subjectOf(topic), author, credentialId, body, via, createdAt: START + at };
      await atHome((tx) => comments.insert(tx, comment));
      return comment;
    };
    const tell = (comment: Comment, ...people: readonly PersonId[]): Promise<void> =>
      atHome((tx) => recipients.tell(tx, comment, people));
    const listed = async (topic: Topic, page: Parameters<CommentRepository['list']>[2] = ALL) =>
      (await atHome((tx) => comments.list(tx, subjectOf(topic), page))).map(({ comment }) => comment);
    const unread = async (personId: PersonId, page: Parameters<RecipientRepository['unread']>[2] = ALL) =>
      (await atHome((tx) => recipients.unread(tx, personId, page))).map(({ comment }) => comment.id);

    it('reads a subject, for its tenant alone', async () => {
      for (const topic of [await opened.newRequest(), await opened.newChange()]) {
        const subject = subjectOf(topic);
        expect(await atHome((tx) => comments.topic(tx, subject))).toEqual(topic);
        expect(await atHome((tx) => comments.lockTopic(tx, subject))).toEqual(topic);
        expect(await elsewhere((tx) => comments.topic(tx, subject))).toBeNull();
        expect(await elsewhere((tx) => comments.lockTopic(tx, subject))).toBeNull();
      }
      for (const type of ['approval_request', 'change_request'] as const)
        expect(await atHome((tx) => comments.topic(tx, { type, id: newId<never>() }))).toBeNull();
    });

    it('finds a comment, whole, with the names of its author', async () => {
      const { owner, admin } = world.home;
      const request = await opened.newRequest();
      const delegated: Author = { kind: 'agent', id: world.home.agent.agentId, onBehalfOf: admin.personId };
      const kept = [
        await said(request, byPerson(owner), 0, { body: 'In Slack.', via: { kind: 'slack', channel: 'C1' } }),
        await said(request, delegated),
        await said(await opened.newChange(), byPerson(owner)),
      ];
      for (const comment of kept) {
        const found = await atHome((tx) => comments.find(tx, comment.id));
        expect(found?.comment).toEqual(comment);
        expect([found?.authorName, found?.authorNameForAgents]).not.toContain('');
        expect(await elsewhere((tx) => comments.find(tx, comment.id))).toBeNull();
      }
      expect(await atHome((tx) => comments.find(tx, newId<CommentId>()))).toBeNull();
    });

    it('names a person with a namesake as their comment does', async () => {
      const [lea] = [await opened.newPerson('Lea'), await opened.newPerson('Lea')];
      const comment = await said(await opened.newRequest(), byPerson(lea));
      const found = await atHome((tx) => comments.find(tx, comment.id));
      expect(found?.authorName).not.toBe(found?.authorNameForAgents);
      expect(await atHome((tx) => comments.shownName(tx, lea.personId))).toBe(found?.authorName);
    });

    it('refuses an id that is taken (23505)', async () => {
      const comment = await said(await opened.newRequest(), byPerson(world.home.owner));
      await expect(atHome((tx) => comments.insert(tx, comment))).rejects.toMatchObject({ code: '23505' });
    });

    it('lists the comments on a subject in the order in which they were written, page by page', async () => {
      const { owner } = world.home;
      const [request, another, change] = [
        await opened.newRequest(),
        await opened.newRequest(),
        await opened.newChange(),
      ];
      const third = await said(request, byAgent(), 3);
      const first = await said(request, byPerson(owner), 1);
      const second = await said(request, byPerson(owner), 1);
      await said(another, byPerson(owner), 2);
      const ofChange = await said(change, byPerson(owner), 2);
      expect(await listed(request)).toEqual([first, second, third]);
      expect(await listed(request, { limit: 1, after: null })).toEqual([first]);
      expect(await listed(request, { limit: 1, after: { at: first.createdAt, id: first.id } })).toEqual([second]);
      expect(await listed(change)).toEqual([ofChange]);
      expect(await elsewhere((tx) => comments.list(tx, subjectOf(request), ALL))).toEqual([]);
      expect(await atHome((tx) => comments.ofPlan(tx, request.planId))).toEqual([first, second, third]);
      expect(await atHome((tx) => comments.ofChange(tx, change.id))).toEqual([ofChange]);
      expect(await elsewhere((tx) => comments.ofPlan(tx, request.planId))).toEqual([]);
      expect(await elsewhere((tx) => comments.ofChange(tx, change.id))).toEqual([]);
    });

    it('counts the comments of agents on the requests of a task since a person last commented or reviewed', async () => {
      const { owner } = world.home;
      const first = await opened.newRequest();
      const second = await opened.newRequest(first.taskId);
      const elsewhereInTenant = await opened.newRequest();
      const unanswered = (): Promise<number> => atHome((tx) => comments.unanswered(tx, first.taskId));
      expect(await unanswered()).toBe(0);
      await said(first, byAgent(), 1);
      await said(second, byAgent(), 2);
      await said(elsewhereInTenant, byPerson(owner), 9);
      expect(await unanswered()).toBe(2);
      await said(second, byPerson(owner), 3);
      expect(await unanswered()).toBe(0);
      await said(first, byAgent(), 4);
      await opened.review(first, owner, START + 5);
      expect(await unanswered()).toBe(0);
      await said(second, byAgent(), 6);
      expect(await unanswered()).toBe(1);
      expect(await elsewhere((tx) => comments.unanswered(tx, first.taskId))).toBe(0);
    });

    it('lets one transaction at a time comment on the requests of a task', async () => {
      const first = await opened.newRequest();
      const second = await opened.newRequest(first.taskId);
      const lock = (topic: Topic) => (tx: Tx) => comments.lockTopic(tx, subjectOf(topic));
      expect(await waitsBehind(world, lock(first), lock(second))).toBe(true);
    });

    it('concerns the people who asked, reviewed the task, claimed or commented, and may still come in', async () => {
      const { owner } = world.home;
      const request = await opened.newRequest();
      const another = await opened.newRequest(request.taskId);
      const people = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((initial) => opened.newPerson(initial)));
      const [reviewer, earlier, claimer, commenter, gone] = people;
      if (!reviewer || !earlier || !claimer || !commenter || !gone) throw new Error('five people came');
      await opened.review(request, reviewer, START);
      await opened.review(another, earlier, START);
      await opened.claim(request, claimer);
      for (const person of [commenter, gone]) await said(request, byPerson(person));
      await said(request, byAgent());
      await opened.disable(gone);
      const expected = [owner, reviewer, earlier, claimer, commenter].map(({ personId }) => personId).sort();
      expect(await atHome((tx) => recipients.concerned(tx, request))).toEqual(expected);
      expect(await elsewhere((tx) => recipients.concerned(tx, request))).toEqual([]);
      const change = await opened.newChange();
      await said(change, byPerson(commenter));
      expect(await atHome((tx) => recipients.concerned(tx, change))).toEqual(
        [world.home.admin, commenter].map(({ personId }) => personId).sort(),
      );
    });

    it('finds the people that a text mentions by name or address, if they may still come in', async () => {
      const [sam, samantha, gone] = [
        await opened.newPerson('Sam Ahn'),
        await opened.newPerson('Sam Ahnert'),
        await opened.newPerson('Sam Away'),
      ];
      await opened.disable(gone);
      const mentioned = (text: string) => atHome((tx) => recipients.mentioned(tx, text));
      const address = `p-${sam.personId}@example.com`;
      expect(await mentioned('Could @sam ahn, look?')).toEqual([sam.personId]);
      expect(await mentioned(`@Sam Ahnert and @${address}: look`)).toEqual([sam.personId, samantha.personId].sort());
      expect(await mentioned('Sam Ahn and @Sam Away')).toEqual([]);
      expect(await elsewhere((tx) => recipients.mentioned(tx, '@Sam Ahn'))).toEqual([]);
    });

    it('keeps the recipients of a comment, and its unread ones until they read the subject', async () => {
      const [ada, ben] = [await opened.newPerson('Ada'), await opened.newPerson('Ben')];
      const [request, change] = [await opened.newRequest(), await opened.newChange()];
      const { owner } = world.home;
      const first = await said(request, byPerson(owner), 1);
      const second = await said(change, byPerson(owner), 2);
      const third = await said(request, byPerson(owner), 2);
      await tell(first, ada.personId, ben.personId);
      for (const comment of [second, third]) await tell(comment, ada.personId);
      await tell(await said(request, byPerson(owner)));
      expect(await atHome((tx) => recipients.told(tx, first.id))).toEqual([ada.personId, ben.personId].sort());
      expect(await elsewhere((tx) => recipients.told(tx, first.id))).toEqual([]);
      expect(await unread(ada.personId)).toEqual([third.id, second.id, first.id]);
      expect(await unread(ada.personId, { limit: 1, after: { at: third.createdAt, id: third.id } })).toEqual([
        second.id,
      ]);
      expect(await atHome((tx) => recipients.unread(tx, ada.personId, ALL))).toMatchObject([
        { headline: request.headline },
        { headline: change.headline },
        { comment: first, headline: request.headline },
      ]);
      expect(await elsewhere((tx) => recipients.unread(tx, ada.personId, ALL))).toEqual([]);
      await elsewhere((tx) => recipients.read(tx, ada.personId, subjectOf(request), START));
      expect(await unread(ada.personId)).toHaveLength(3);
      await atHome((tx) => recipients.read(tx, ada.personId, subjectOf(request), START));
      expect(await unread(ada.personId)).toEqual([second.id]);
      expect(await unread(ben.personId)).toEqual([first.id]);
      expect(await atHome((tx) => recipients.told(tx, first.id))).toEqual([ada.personId, ben.personId].sort());
    });
  });
}
