import type { Destination, Recipients } from '#lib/delivery';
import { newId, type PersonId } from '#lib/kernel';
import { readButtonValue } from '../domain/button-value.js';
import { message } from '../../../delivery/src/domain/fake-request-message.js';
import { sampleApp } from './fake-slack-app.js';
import {
  changed,
  DELIVERED,
  fakeSlackChannel,
  NOTICE,
  noticed,
  ran,
  reminder,
  REQUEST,
  RUN,
  to,
  type NotifiedRun,
} from './fake-slack-channel.js';
import { SlackCallError } from './slack.ports.js';

describe('the destinations of a message in Slack', () => {
  const nobody: Recipients = {
    shared: { environment: 'production', showing: ['subject'] },
    onDuty: [],
    groups: [],
    addresses: [],
  };
  const found = async (recipients: Partial<Recipients>, channels: Readonly<Record<string, string>> = {}) => {
    const world = await fakeSlackChannel();
    await world.inTx((tx) => world.installations.setChannels(tx, channels));
    await world.link(world.home.owner, 'UADA');
    const people = { owner: world.home.owner.personId, admin: world.home.admin.personId };
    return {
      people,
      destinations: async (change: (of: typeof people) => Partial<Recipients> = () => ({})) =>
        (await world.inTx((tx) => world.channel.destinations(tx, { ...nobody, ...recipients, ...change(people) }))).map(
          ({ to: { address, showing } }) => `${address} ${showing}`,
        ),
    };
  };

  it('are the channel of the environment, or that of every other one', async () => {
    const channels = { production: 'C1', '': 'C2' };
    expect(await (await found({}, channels)).destinations()).toEqual(['C1 subject']);
    const staging = { shared: { environment: 'staging', showing: ['subject', 'thread'] as const } };
    expect(await (await found(staging, channels)).destinations()).toEqual(['C2 subject', 'C2 thread']);
    expect(await (await found(staging, { production: 'C1' })).destinations()).toEqual([]);
  });

  it('are the linked people on duty in place of the channel, and the channel if none of them is linked', async () => {
    const { destinations } = await found({}, { production: 'C1' });
    expect(await destinations(({ owner, admin }) => ({ onDuty: [owner, admin] }))).toEqual(['UADA subject']);
    expect(await destinations(({ admin }) => ({ onDuty: [admin] }))).toEqual(['C1 subject']);
  });

  it('are the linked people of a group with a conversation, and the named addresses', async () => {
    const { destinations } = await found({ addresses: ['C2'] }, { production: 'C1' });
    const group = (people: readonly PersonId[], inConversation: 'requester' | null) => ({
      ...{ people, alone: null, inConversation, kind: null },
    });
    expect(await destinations(({ owner, admin }) => ({ groups: [group([owner, admin], 'requester')] }))).toEqual([
      ...['C1 subject', 'UADA requester', 'C2 subject'],
    ]);
    expect(await destinations(({ owner }) => ({ groups: [group([owner], null)] }))).toEqual([
      'C1 subject',
      'C2 subject',
    ]);
  });

  it('leave out a person who sees it in the thread of their own', async () => {
    const { destinations } = await found({}, { production: 'C1' });
    const recipients = (showing: readonly Destination['showing'][]) => (people: { readonly owner: PersonId }) => ({
      shared: { environment: 'production', showing },
      onDuty: [people.owner],
      groups: [
        {
          ...{ people: [people.owner], alone: null, kind: null, unlessInThread: true as const },
          inConversation: 'subject' as const,
        },
      ],
    });
    expect(await destinations(recipients(['thread']))).toEqual(['UADA thread']);
    expect(await destinations(recipients(['subject']))).toEqual(['UADA subject', 'UADA subject']);
  });

  it('are none without a workspace', async () => {
    const world = await fakeSlackChannel();
    await world.inTx((tx) => world.installations.setChannels(tx, { production: 'C1' }));
    await world.inTx((tx) => world.installations.removeInstallation(tx));
    expect(await world.inTx((tx) => world.channel.destinations(tx, nobody))).toEqual([]);
  });

  it('reach linked people, and name channels for a document', async () => {
    const world = await fakeSlackChannel();
    const { owner, admin } = world.home;
    await world.link(owner, 'UADA');
    const reached = await world.inTx((tx) => world.channel.reached(tx, [owner.personId, admin.personId]));
    expect(reached).toEqual([owner.personId]);
    const { named } = world.channel;
    expect(['C1', 'G1', 'UADA', 'c1', 'C1 '].map((address) => named.accepts(address))).toEqual([
      ...[true, true, false, false, false],
    ]);
    expect(await named.test(world.home.tenantId, 'C1')).toBeNull();
    expect(world.slack.texts('C1')).toEqual([expect.stringContaining('Test message')]);
  });
});

describe('a request in Slack', () => {
  it('has one message a channel, kept up to date, with buttons that work for it alone', async () => {
    const world = await fakeSlackChannel();
    await world.turn(changed(), to('C1', 'subject'));
    const [value] = /v1\.[\w.-]+/.exec(JSON.stringify([...world.slack.posts.values()])) ?? [''];
    const about = { tenantId: world.home.tenantId, action: 'approve' };
    expect(readButtonValue(sampleApp().signingSecret, about, value)).toEqual({
      ...{ requestId: REQUEST, subjectDigest: message().digest },
    });
    world.now.request = message({ state: 'approved' });
    await world.turn(changed('approved'), to('C1', 'subject'));
    expect(world.slack.texts('C1')).toEqual([expect.stringMatching(/^Approved: /)]);
    expect(JSON.stringify([...world.slack.posts.values()])).not.toContain('countersign.approve"');
  });

  it('shows the events of its run in the thread', async () => {
    const world = await fakeSlackChannel();
    await world.turn(changed(), to('C1', 'subject'));
    expect(await world.turn(ran('run.started'), to('C1', 'thread'))).toEqual(DELIVERED);
    await world.turn(ran('run.paused'), to('C1', 'thread'));
    const [ts] = [...world.slack.posts.keys()];
    expect(world.slack.texts('C1', ts)).toEqual(['run.started', 'run.paused']);
  });

  it('lets the event of a run wait for its message', async () => {
    const world = await fakeSlackChannel();
    expect(await world.turn(ran('run.started'), to('C1', 'thread'))).toMatchObject({ kind: 'later' });
    expect(world.slack.posts.size).toBe(0);
  });

  it('has reminders in the thread, while it is open', async () => {
    const world = await fakeSlackChannel();
    await world.turn(changed(), to('C1', 'subject'));
    await world.turn(reminder(), to('C1', 'thread'));
    const [ts] = [...world.slack.posts.keys()];
    expect(world.slack.texts('C1', ts)).toHaveLength(1);
    world.now.request = message({ state: 'approved' });
    expect(await world.turn(reminder(), to('C1', 'thread'))).toEqual(DELIVERED);
    expect(world.slack.texts('C1', ts)).toHaveLength(1);
  });

  it('is reminded of alone in a channel that never had its message', async () => {
    const world = await fakeSlackChannel();
    await world.turn(changed(), to('C1', 'subject'));
    expect(await world.turn(reminder(), to('C2', 'thread'))).toEqual(DELIVERED);
    expect(world.slack.texts('C2')).toHaveLength(1);
  });

  it('sends nothing if it is gone', async () => {
    const world = await fakeSlackChannel();
    world.now.request = null;
    expect(await world.turn(changed(), to('C1', 'subject'))).toEqual(DELIVERED);
    expect(world.slack.posts.size).toBe(0);
  });
});

describe('the message of a requester', () => {
  it('tells how the request stands, and has the events of its run in the thread', async () => {
    const world = await fakeSlackChannel();
    world.now.request = message({ state: 'approved' });
    await world.turn(changed('approved'), to('UADA', 'requester'));
    world.now.request = message({ state: 'consumed', run: { id: RUN, state: 'completed' } });
    const event = ran('run.completed');
    expect(await world.turn(event, to('UADA', 'requester'))).toEqual({ kind: 'later', delayMs: 10 });
    expect(await world.turn(event, to('UADA', 'requester'))).toEqual(DELIVERED);
    const [ts] = [...world.slack.posts.keys()];
    expect(world.slack.texts('DADA')).toHaveLength(1);
    expect(world.slack.texts('DADA', ts)).toEqual(['run.completed']);
  });

  it('waits with an event until the message itself is sent', async () => {
    const world = await fakeSlackChannel();
    const event = ran('run.completed');
    world.slack.failures.push({ method: 'post', error: new Error('lost') });
    expect(await world.turn(event, to('UADA', 'requester'))).toMatchObject({ kind: 'failed', final: false });
    expect(world.slack.posts.size).toBe(0);
  });

  it('shows how the request stands before the event, if Slack asks to wait with the edit', async () => {
    const world = await fakeSlackChannel();
    await world.turn(changed('approved'), to('UADA', 'requester'));
    world.now.request = message({ state: 'consumed', run: { id: RUN, state: 'completed' } });
    world.slack.failures.push({ method: 'update', error: new SlackCallError('rate_limited', true, 30_000) });
    const event = ran('run.completed');
    expect(await world.turn(event, to('UADA', 'requester'))).toEqual({ kind: 'later', delayMs: 30_000 });
    expect(await world.turn(event, to('UADA', 'requester'))).toEqual({ kind: 'later', delayMs: 20_000 });
    expect(world.slack.posts.size).toBe(1);
  });

  it('is a message of its own for each reminder', async () => {
    const world = await fakeSlackChannel();
    await world.turn(reminder(), to('UADA', 'requester'));
    await world.turn(reminder(), to('UADA', 'requester'));
    expect(world.slack.texts('DADA')).toHaveLength(2);
  });

  it('tells the reason of an event only while the run is in that state', async () => {
    const world = await fakeSlackChannel();
    await world.turn(changed(), to('C1', 'subject'));
    const told = async (event: string, run: Partial<NotifiedRun>): Promise<string> => {
      if (world.now.run !== null) world.now.run = { ...world.now.run, ...run };
      await world.turn(ran(event), to('C1', 'thread'));
      return JSON.stringify([...world.slack.posts.values()].at(-1)?.content);
    };
    expect(await told('run.paused', { state: 'paused', reason: 'A halt is in force.' })).toContain(
      'A halt is in force.',
    );
    expect(await told('run.paused', { state: 'failed', reason: 'It broke.' })).not.toContain('It broke.');
    expect(await told('run.started', { state: 'executing', reason: 'By hand.' })).toContain('By hand.');
  });
});

describe('a notice in Slack', () => {
  it('has one message for its id, which is kept up to date', async () => {
    const world = await fakeSlackChannel();
    await world.turn(noticed(), to('C1', 'subject'));
    world.now.notice = { ...NOTICE, title: 'Lea confirmed the change' };
    await world.turn(noticed(), to('C1', 'subject'));
    expect(world.slack.texts('C1')).toEqual(['Lea confirmed the change']);
  });

  it('sends nothing if there is nothing to tell any more', async () => {
    const world = await fakeSlackChannel();
    world.now.notice = null;
    expect(await world.turn(noticed(), to('C1', 'subject'))).toEqual(DELIVERED);
    expect(world.slack.calls).toEqual([]);
  });

  it('stands in the thread that it belongs to, unless its words come from there or there is no thread', async () => {
    const world = await fakeSlackChannel();
    const words = (notIn: string | null) => ({ ...NOTICE, id: newId(), thread: { of: `request:${REQUEST}`, notIn } });
    world.now.notice = words(null);
    expect(await world.turn(noticed(), to('C1', 'thread'))).toEqual(DELIVERED);
    expect(world.slack.posts.size).toBe(0);
    await world.turn(changed(), to('C1', 'subject'));
    world.now.notice = words('C1');
    expect(await world.turn(noticed(), to('C1', 'thread'))).toEqual(DELIVERED);
    expect(world.slack.posts.size).toBe(1);
    world.now.notice = words('C2');
    await world.turn(noticed(), to('C1', 'thread'));
    const [ts] = [...world.slack.posts.keys()];
    expect(world.slack.texts('C1', ts)).toEqual([NOTICE.title]);
  });
});
