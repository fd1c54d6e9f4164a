import type { RequestMessage } from '#lib/delivery';
import {
  digestOf,
  newId,
  ok,
  type ApprovalRequestId,
  type PersonPrincipal,
  type PlanId,
  type Result,
} from '#lib/kernel';
import { buttonValue, type ButtonClaim } from '../domain/button-value.js';
import type { Interaction } from '../domain/interaction.js';
import { sampleApp } from './fake-slack-app.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import { fakeSlackWorld } from './fake-slack-world.js';
import type { Reviewed } from './slack.ports.js';

/** The user, workspace and channel of each interaction, unless a test says otherwise. */
export const SENDER = { user: 'UADA', team: 'T1', channel: 'C1' };

export type Button = Extract<Interaction, { kind: 'button' }>;

/** The answers of other libraries. */
interface Answers {
  review: Result<{ readonly request: Reviewed }>;
  run: Result<unknown>;
  comment: Result<unknown>;
  message: RequestMessage | null;
}

/** A worker of interactions over fakes. The owner is linked as UADA, and UBEN has no link. */
export async function fakeInteractionWorker() {
  const planId = newId<PlanId>();
  const done: unknown[] = [];
  const answers: Answers = {
    review: ok({ request: { state: 'open', subject: { type: 'plan', id: planId } } }),
    run: ok(undefined),
    comment: ok(undefined),
    message: null,
  };
  const note = <Answer>({ personId: by }: PersonPrincipal, what: object, answer: Answer): Promise<Answer> => {
    done.push({ ...what, by });
    return Promise.resolve(answer);
  };
  const world = fakeSlackWorld({
    reviews: { execute: (by, review, given) => note(by, { review, ...given }, answers.review) },
    runs: { execute: (by, run) => note(by, { run }, answers.run) },
    replies: { comment: (by, subject, comment, channel) => note(by, { comment, subject, channel }, answers.comment) },
    contents: unasked({ request: (_, id) => Promise.resolve(id === claim.requestId ? answers.message : null) }),
  });
  const { home, slack, interactions } = world;
  await world.install();
  await world.link(home.owner, 'UADA');
  const claim: ButtonClaim = {
    tenantId: home.tenantId,
    action: 'approve',
    requestId: newId<ApprovalRequestId>(),
    subjectDigest: digestOf('plan', {}),
  };
  const received = async (interaction: Interaction): Promise<string> => {
    const id = await world.inTx((tx) => interactions.receive(tx, Buffer.from(newId()), interaction));
    if (id === null) throw new Error('the interaction came before');
    return id;
  };
  const outcome = (id: string) => interactions.of(home).find((row) => row.id === id)?.outcome;
  const execute = (id: string, { tenantId } = home): Promise<void> => world.parts.workInteraction.execute(tenantId, id);
  return {
    ...world,
    answers,
    claim,
    planId,
    /** The reviews, runs and comments that other libraries were asked for. */
    done,
    received,
    execute,
    outcome,
    pressed: (action: Button['action'], change: Partial<Button> = {}): Button => ({
      ...SENDER,
      kind: 'button',
      action,
      value: buttonValue(sampleApp().signingSecret, { ...claim, action }),
      trigger: '1.2',
      ...change,
    }),
    /** Receives and works on an interaction. @returns its outcome. */
    worked: async (interaction: Interaction) => {
      const id = await received(interaction);
      await execute(id);
      return outcome(id);
    },
    /** The ephemeral messages. */
    whispers: () => slack.ephemerals.map(({ user, channel, content }) => ({ user, channel, text: content.text })),
    reviewed: (verdict: string, more: object = {}) => ({
      ...{ review: claim.requestId, verdict, subject_digest: claim.subjectDigest, by: home.owner.personId },
      ...more,
    }),
  };
}

export type FakeInteractionWorker = Awaited<ReturnType<typeof fakeInteractionWorker>>;
