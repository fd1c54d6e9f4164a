import { titleOf } from '#lib/delivery';
import { err, newId, ok, type Failure, type PlanId } from '#lib/kernel';
import { message } from '../../../delivery/src/domain/fake-request-message.js';
import { buttonValue } from '../domain/button-value.js';
import type { Interaction } from '../domain/interaction.js';
import { MODAL_ACTIONS } from '../domain/render-request.js';
import { fakeInteractionWorker, SENDER, type Button, type FakeInteractionWorker } from './fake-interaction-worker.js';
import { sampleApp } from './fake-slack-app.js';
import { NOT_FRESH, PUBLIC_URL } from './fake-slack-world.js';
import { SlackCallError, type Reviewed } from './slack.ports.js';

const LEASE_MS = 30_000;
const REFUSED: Failure = { kind: 'forbidden', code: 'approval.not_eligible', message: 'You may not review this.' };

describe('a button in Slack', () => {
  it('submits the review of the linked person, on the digest of the button', async () => {
    const world = await fakeInteractionWorker();
    expect(await world.worked(world.pressed('approve'))).toBe('done');
    expect(world.done).toEqual([world.reviewed('approve')]);
    expect([world.whispers(), world.audited()]).toEqual([[], []]);
  });

  it('says "always" of the linked person, with its own button alone', async () => {
    const world = await fakeInteractionWorker();
    expect(await world.worked(world.pressed('always'))).toBe('done');
    expect(world.done).toEqual([world.reviewed('approve', { always: true })]);
    const { value } = world.pressed('approve');
    expect(await world.worked(world.pressed('always', { value }))).toBe('slack.button_changed');
    expect(world.done).toHaveLength(1);
  });

  it.each<[string, (world: FakeInteractionWorker) => Partial<Button>]>([
    ['another action', ({ pressed }) => ({ value: pressed('reject').value })],
    [
      'another request',
      ({ pressed, claim }) => ({ value: pressed('approve').value.replace(claim.requestId, newId()) }),
    ],
    [
      'another plan',
      ({ pressed }) => ({ value: pressed('approve').value.replace(/\.[0-9a-f]{64}\./, `.${'f'.repeat(64)}.`) }),
    ],
    [
      'another tenant',
      ({ claim, other }) => ({
        value: buttonValue(sampleApp().signingSecret, { ...claim, tenantId: other.tenantId }),
      }),
    ],
    ['another signing secret', ({ claim }) => ({ value: buttonValue('0'.repeat(32), claim) })],
    ['no tag', ({ claim }) => ({ value: `v1.${claim.requestId}` })],
    ['nothing', () => ({ value: '' })],
  ])('T13: is refused with a value of %s, and reviews nothing', async (_what, change) => {
    const world = await fakeInteractionWorker();
    const interaction = world.pressed('approve', change(world));
    expect(await world.worked(interaction)).toBe('slack.button_changed');
    expect(world.done).toEqual([]);
    expect(world.whispers()).toMatchObject([
      { user: 'UADA', text: expect.stringContaining('This button was not made by Countersign for this') as string },
    ]);
    expect(world.audited()).toMatchObject([
      {
        action: 'slack_interaction.refused',
        actor: { kind: 'system', id: 'slack' },
        payload: { code: 'slack.button_changed', team_id: 'T1', slack_user_id: 'UADA', wanted: 'approve' },
      },
    ]);
  });

  it('offers a link to a user without one, and reviews nothing', async () => {
    const world = await fakeInteractionWorker();
    const interaction = world.pressed('approve', { user: 'UBEN' });
    expect(await world.worked(interaction)).toBe('slack.not_linked');
    expect(world.done).toEqual([]);
    expect(world.slack.ephemerals).toMatchObject([{ user: interaction.user, channel: 'C1' }]);
    expect(JSON.stringify(world.slack.ephemerals)).toContain(`${PUBLIC_URL}/settings/slack?link=`);
    expect(world.audited()).toMatchObject([{ payload: { code: 'slack.not_linked', wanted: 'approve' } }]);
  });

  it('T13: reviews nothing for a user of another workspace with the id of a linked one, and offers no link', async () => {
    const world = await fakeInteractionWorker();
    expect(await world.worked(world.pressed('approve', { team: 'T2' }))).toBe('slack.other_workspace');
    expect(world.done).toEqual([]);
    expect(world.whispers()).toMatchObject([
      { user: 'UADA', text: expect.stringContaining('another Slack') as string },
    ]);
    expect(JSON.stringify(world.slack.ephemerals)).not.toContain('link=');
    expect(world.audited()).toMatchObject([{ payload: { code: 'slack.other_workspace' } }]);
  });

  it('asks for a fresh sign-in, and reviews nothing without', async () => {
    const world = await fakeInteractionWorker();
    world.standing.fresh = false;
    expect(await world.worked(world.pressed('approve'))).toBe(NOT_FRESH.code);
    expect(world.done).toEqual([]);
    expect(JSON.stringify(world.slack.ephemerals)).toContain(`Sign in again at ${PUBLIC_URL}, then repeat this.`);
  });

  it('tells its user alone why a review is refused, and records it', async () => {
    const world = await fakeInteractionWorker();
    world.answers.review = err(REFUSED);
    expect(await world.worked(world.pressed('approve'))).toBe(REFUSED.code);
    expect(world.whispers()).toEqual([{ user: 'UADA', channel: 'C1', text: REFUSED.message }]);
    expect(world.audited()).toMatchObject([{ payload: { code: REFUSED.code } }]);
  });

  it.each(MODAL_ACTIONS)('opens a modal for %s, and reviews nothing yet', async (action) => {
    const world = await fakeInteractionWorker();
    world.standing.fresh = false;
    world.slack.triggers.add('1.2');
    const { value } = world.pressed(action);
    expect(await world.worked(world.pressed(action))).toBe('done');
    expect(world.done).toEqual([]);
    expect(world.slack.modals).toMatchObject([
      { callback_id: `countersign.${action}`, private_metadata: JSON.stringify({ value, channel: 'C1' }) },
    ]);
  });

  it('names the request in the modal, which hides its message', async () => {
    const world = await fakeInteractionWorker();
    world.answers.message = message();
    world.slack.triggers.add('1.2');
    await world.worked(world.pressed('reject'));
    const [modal] = world.slack.modals;
    expect(modal?.blocks[0]).toMatchObject({ type: 'header', text: { text: titleOf(message()) } });
  });

  it.each(MODAL_ACTIONS)('opens no modal for %s by a user without a link', async (action) => {
    const world = await fakeInteractionWorker();
    world.slack.triggers.add('1.2');
    expect(await world.worked(world.pressed(action, { user: 'UBEN' }))).toBe('slack.not_linked');
    expect(world.slack.modals).toEqual([]);
  });
});

describe('the modal of a button', () => {
  it.each(['reject', 'request_changes'] as const)('submits the review with its comment: %s', async (action) => {
    const world = await fakeInteractionWorker();
    const { value } = world.pressed(action);
    const interaction: Interaction = { kind: 'comment', action, value, comment: 'not on a Friday', ...SENDER };
    expect(await world.worked(interaction)).toBe('done');
    expect(world.done).toEqual([world.reviewed(action, { comment: 'not on a Friday' })]);
  });

  it('submits the rejection of a call with or without a comment', async () => {
    const world = await fakeInteractionWorker();
    const { value } = world.pressed('reject_call');
    for (const comment of ['', 'not this file'])
      await world.worked({ kind: 'comment', action: 'reject_call', value, comment, ...SENDER });
    expect(world.done).toEqual([
      world.reviewed('reject', { comment: '' }),
      world.reviewed('reject', { comment: 'not this file' }),
    ]);
  });

  it('submits the approval with its word, which is no comment, and tells its user that another is wrong', async () => {
    const world = await fakeInteractionWorker();
    const { value } = world.pressed('confirm');
    const typed = (comment: string) => world.worked({ kind: 'comment', action: 'confirm', value, comment, ...SENDER });
    expect(await typed(' CONFIRM ')).toBe('done');
    expect(world.done).toEqual([world.reviewed('approve', { confirm_word: 'CONFIRM' })]);
    world.answers.review = err({ kind: 'unprocessable', code: 'review.confirm_word_required', message: 'Wrong word.' });
    expect(await typed('confirm')).toBe('review.confirm_word_required');
    expect(world.whispers()).toMatchObject([{ user: 'UADA', text: 'Wrong word.' }]);
  });

  it('T13: does not take an "approve" for the word, nor one that is not fresh', async () => {
    const world = await fakeInteractionWorker();
    const word = { kind: 'comment', action: 'confirm', comment: 'CONFIRM', ...SENDER } as const;
    expect(await world.worked({ ...word, value: world.pressed('approve').value })).toBe('slack.button_changed');
    world.standing.fresh = false;
    expect(await world.worked({ ...word, value: world.pressed('confirm').value })).toBe(NOT_FRESH.code);
    expect(world.done).toEqual([]);
  });

  it('T13: is refused with the value of another button', async () => {
    const world = await fakeInteractionWorker();
    const { value } = world.pressed('approve');
    const interaction: Interaction = { kind: 'comment', action: 'reject', value, comment: 'no', ...SENDER };
    expect(await world.worked(interaction)).toBe('slack.button_changed');
    expect(world.done).toEqual([]);
  });

  it('asks for a fresh sign-in', async () => {
    const world = await fakeInteractionWorker();
    world.standing.fresh = false;
    const { value } = world.pressed('reject');
    const interaction: Interaction = { kind: 'comment', action: 'reject', value, comment: 'no', ...SENDER };
    expect(await world.worked(interaction)).toBe(NOT_FRESH.code);
    expect(world.done).toEqual([]);
  });
});

describe('an approval that starts the run', () => {
  const approved = (state: Reviewed['state'], id: PlanId) =>
    ok({ request: { state, subject: { type: 'plan', id } as const } });

  it('starts it as the same person, if it was the last', async () => {
    const world = await fakeInteractionWorker();
    world.answers.review = approved('approved', world.planId);
    expect(await world.worked(world.pressed('approve_and_start'))).toBe('done');
    const run = { run: world.planId, by: world.home.owner.personId };
    expect(world.done).toEqual([world.reviewed('approve'), run]);
    expect(world.whispers()).toEqual([]);
  });

  it('starts nothing if others are needed, and tells the user', async () => {
    const world = await fakeInteractionWorker();
    expect(await world.worked(world.pressed('approve_and_start'))).toBe('done');
    expect(world.done).toEqual([world.reviewed('approve')]);
    expect(world.whispers()).toMatchObject([
      { text: expect.stringContaining('Your approval counts. Others are still needed') as string },
    ]);
  });

  it('starts nothing more if the approval itself did', async () => {
    const world = await fakeInteractionWorker();
    world.answers.review = approved('consumed', world.planId);
    expect(await world.worked(world.pressed('approve_and_start'))).toBe('done');
    expect([world.done, world.whispers()]).toEqual([[world.reviewed('approve')], []]);
  });

  it('starts nothing if only the approval was asked for', async () => {
    const world = await fakeInteractionWorker();
    world.answers.review = approved('approved', world.planId);
    await world.worked(world.pressed('approve'));
    expect(world.done).toEqual([world.reviewed('approve')]);
  });

  it('tells the user why the run does not start', async () => {
    const world = await fakeInteractionWorker();
    world.answers.review = approved('approved', world.planId);
    world.answers.run = err({ kind: 'conflict', code: 'run.halted', message: 'A halt is in force.' });
    expect(await world.worked(world.pressed('approve_and_start'))).toBe('run.halted');
    expect(world.whispers()).toMatchObject([{ text: 'A halt is in force.' }]);
  });
});

describe('a reply in the thread of a message', () => {
  const reply = (text = 'why now?'): Interaction => ({
    ...{ kind: 'reply', action: 'comment', subject: 'request:1', text },
    ...SENDER,
  });

  it('is a comment of the linked person, without a fresh sign-in', async () => {
    const world = await fakeInteractionWorker();
    world.standing.fresh = false;
    expect(await world.worked(reply())).toBe('done');
    expect(world.done).toEqual([
      { comment: 'why now?', subject: 'request:1', channel: 'C1', by: world.home.owner.personId },
    ]);
  });

  it('is no comment of a user without a link', async () => {
    const world = await fakeInteractionWorker();
    expect(await world.worked({ ...reply(), user: 'UBEN' })).toBe('slack.not_linked');
    expect(world.done).toEqual([]);
  });

  it('has at most 4,000 characters', async () => {
    const world = await fakeInteractionWorker();
    expect(await world.worked(reply('x'.repeat(4_000)))).toBe('done');
    expect(await world.worked(reply('x'.repeat(4_001)))).toBe('comment.too_long');
    expect(world.done).toHaveLength(1);
  });

  it('tells its user why it is refused', async () => {
    const world = await fakeInteractionWorker();
    world.answers.comment = err({ kind: 'conflict', code: 'comment.closed', message: 'This is over.' });
    expect(await world.worked(reply())).toBe('comment.closed');
    expect(world.whispers()).toMatchObject([{ user: 'UADA', text: 'This is over.' }]);
  });
});

describe('the work on an interaction', () => {
  it('is done by one worker, once', async () => {
    const world = await fakeInteractionWorker();
    const id = await world.received(world.pressed('approve'));
    await Promise.all([world.execute(id), world.execute(id)]);
    await world.pass(LEASE_MS);
    await world.execute(id);
    expect(world.done).toHaveLength(1);
  });

  it('is taken up again after the lease if the worker died in it', async () => {
    const world = await fakeInteractionWorker();
    const id = await world.received(world.pressed('approve'));
    await world.inTx((tx) => world.interactions.claim(tx, id, LEASE_MS));
    await world.pass(LEASE_MS - 1);
    await world.execute(id);
    expect(world.outcome(id)).toBeNull();
    await world.pass(1);
    await world.execute(id);
    expect([world.outcome(id), world.done]).toEqual(['done', [world.reviewed('approve')]]);
  });

  it('is taken up again a second after an error, and later after each further one', async () => {
    const world = await fakeInteractionWorker();
    const id = await world.received(world.pressed('reject'));
    for (const waitMs of [1_000, 4_000, 16_000, LEASE_MS]) {
      world.slack.failures.push({ method: 'openModal', error: new SlackCallError('unreachable', true) });
      await expect(world.execute(id)).rejects.toThrow('unreachable');
      await world.pass(waitMs - 1);
      await world.execute(id);
      expect(world.outcome(id)).toBeNull();
      await world.pass(1);
    }
    world.slack.triggers.add('1.2');
    await world.execute(id);
    expect([world.outcome(id), world.slack.modals]).toMatchObject(['done', [{ type: 'modal' }]]);
  });

  it('is given up after five attempts', async () => {
    const world = await fakeInteractionWorker();
    const id = await world.received(world.pressed('reject'));
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      world.slack.failures.push({ method: 'openModal', error: new SlackCallError('unreachable', true) });
      await expect(world.execute(id)).rejects.toThrow('unreachable');
      await world.pass(LEASE_MS);
    }
    world.slack.triggers.add('1.2');
    await world.execute(id);
    expect([world.outcome(id), world.slack.modals]).toEqual(['given_up', []]);
  });

  it('ends at once, with one refusal on record, if Slack refuses the answer for good', async () => {
    const world = await fakeInteractionWorker();
    const id = await world.received(world.pressed('approve', { user: 'UBEN' }));
    world.slack.failures.push({ method: 'postEphemeral', error: new SlackCallError('not_in_channel', false) });
    await expect(world.execute(id)).rejects.toThrow('not_in_channel');
    expect(world.outcome(id)).toBe('refused_by_slack');
    await world.pass(LEASE_MS);
    await world.execute(id);
    expect(world.audited()).toHaveLength(1);
  });

  it.each([
    ['done', 'refused for good', false],
    ['giveBack', 'unreachable', true],
  ] as const)(
    'fails with the error of Slack, even if the database then fails in %s',
    async (method, code, transient) => {
      const world = await fakeInteractionWorker();
      const id = await world.received(world.pressed('reject'));
      world.slack.failures.push({ method: 'openModal', error: new SlackCallError(code, transient) });
      jest.spyOn(world.interactions, method).mockRejectedValueOnce(new Error('the database is away'));
      await expect(world.execute(id)).rejects.toThrow(code);
      await world.pass(LEASE_MS);
      world.slack.triggers.add('1.2');
      await world.execute(id);
      expect(world.outcome(id)).toBe('done');
    },
  );

  it('is given up if Slack was removed meanwhile', async () => {
    const world = await fakeInteractionWorker();
    const id = await world.received(world.pressed('approve'));
    await world.inTx((tx) => world.installations.removeInstallation(tx));
    await world.execute(id);
    expect([world.outcome(id), world.done]).toEqual(['given_up', []]);
  });

  it('T19: is never done for another tenant', async () => {
    const world = await fakeInteractionWorker();
    const id = await world.received(world.pressed('approve'));
    await world.execute(id, world.other);
    expect([world.outcome(id), world.done]).toEqual([null, []]);
  });
});
