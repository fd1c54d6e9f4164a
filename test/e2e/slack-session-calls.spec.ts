import { expectStatus, operatorToken, type Answer } from '../support/api.js';
import { CHANNELS } from '../support/local-slack.js';
import { cameIn, pageOf } from '../support/passkey-accounts.js';
import { SHELL_CATALOG } from '../support/shell-catalog.js';
import { slackWorld, textOf, type SlackWorld } from '../support/slack-world.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    development:
      mode: full_auto
`;

let world: SlackWorld;
let ownerPage: Record<string, string>;

beforeAll(async () => {
  const channels = { '': CHANNELS.others };
  world = await slackWorld({}, { tools: SHELL_CATALOG, autonomy: AUTONOMY, channels });
  const { api, tenant, owner } = world;
  ownerPage = await pageOf(api, (await cameIn(api, await operatorToken(api, tenant.id, owner.id))).cookie);
}, 120_000);
afterAll(() => world.close());
afterEach(() => {
  expect(world.slack.refusals.splice(0)).toEqual([]);
});

/** A session with one preset, and a call in it that waits: its message in Slack. */
async function inSession(preset: string) {
  const wanted = { environment: 'development', preset, agent_ids: [world.bot.id] };
  const opened = await world.api.http().post('/v1/sessions', wanted, ownerPage);
  const path = `/v1/sessions/${String(expectStatus(opened, 201).body.id)}`;
  const call = async (command: string): Promise<Answer> =>
    expectStatus(await world.agent.post(`${path}/tool-calls`, { tool: 'shell', arguments: { command } }), 201);
  const asked = async (command: string) => {
    const { body } = await call(command);
    expect(body).toMatchObject({ outcome: 'pending' });
    await world.settle();
    return { id: String(body.id), message: world.message({ id: String(body.request_id) }, CHANNELS.others) };
  };
  type Asked = Awaited<ReturnType<typeof asked>>;
  const press = async ({ message }: Asked, action: string, user: string): Promise<void> => {
    await world.slack.press(message, `countersign.${action}`, user);
    await world.settle();
  };
  const typed = async (text: string): Promise<void> => {
    const modal = world.slack.modals.at(-1);
    if (modal === undefined) throw new Error('no modal was opened');
    await world.slack.submitModal(modal, text);
    await world.settle();
  };
  const standing = async ({ id }: Asked): Promise<unknown> => {
    const { outcome, decided_as: as } = expectStatus(await world.agent.get(`/v1/tool-calls/${id}`), 200).body;
    return [outcome, as];
  };
  return { path, call, asked, press, typed, standing };
}

const buttonsOf = ({ blocks }: { readonly blocks: readonly object[] }): string[] =>
  [...JSON.stringify(blocks).matchAll(/"action_id":"countersign\.([a-z_]+)"/g)].map(([, action = '']) => action);

const whispers = (after: number): string => textOf(world.slack.ephemerals.slice(after).flatMap(({ blocks }) => blocks));

describe('a call of a session, in Slack', () => {
  it('is approved with “always” by a linked person, who sees the calls that it covers', async () => {
    const { path, call, asked, press, standing } = await inSession('tiers');
    const first = await asked('git fetch origin');
    const text = textOf(first.message.blocks);
    expect(text).toContain('later calls of this tool in this session with the same values here');
    expect(text).toMatch(/program: "git"\s*subcommand: "fetch origin"/);
    expect(buttonsOf(first.message)).toEqual(['approve', 'always', 'reject_call', 'open']);
    const before = world.slack.ephemerals.length;
    await press(first, 'always', 'UEVE');
    expect(whispers(before)).toContain('Countersign does not know who you are in Slack.');
    expect(await standing(first)).toEqual(['pending', null]);
    await press(first, 'always', 'UADA');
    expect(await standing(first)).toEqual(['allowed', 'approved']);
    const { items } = expectStatus(await world.agent.get(`${path}/trusts`), 200).body;
    expect(items).toMatchObject([{ tool: 'shell', made_by: world.ada.id, revoked_at: null }]);
    expect((await call('git fetch origin')).body).toMatchObject({ outcome: 'allowed', decided_as: 'trusted' });
    expect((await call('git fetch other')).body).toMatchObject({ outcome: 'pending' });
    const refreshed = world.slack.in(CHANNELS.others).find(({ ts }) => ts === first.message.ts);
    expect(buttonsOf(refreshed ?? { blocks: [] })).toEqual(['open']);
  });

  it('has no “always” without a shape, and no click on another message says one', async () => {
    const { asked, press, standing } = await inSession('tiers');
    const shapeless = await asked('git fetch origin && npm install');
    expect(buttonsOf(shapeless.message)).toEqual(['approve', 'reject_call', 'open']);
    const other = await asked('git fetch upstream');
    const before = world.slack.ephemerals.length;
    const value = /"action_id":"countersign\.approve","text":\{[^}]*\},"value":"([^"]+)"/.exec(
      JSON.stringify(shapeless.message.blocks),
    )?.[1];
    await world.slack.press(other.message, 'countersign.always', 'UADA', (payload) => ({
      ...payload,
      actions: [{ ...(payload.actions as object[])[0], value }],
    }));
    await world.settle();
    expect(whispers(before)).toContain('This button was not made by Countersign for this');
    expect(await standing(other)).toEqual(['pending', null]);
    await press(shapeless, 'approve', 'UADA');
    expect(await standing(shapeless)).toEqual(['allowed', 'approved']);
  });

  it('that destroys something in a cautious session is approved with the word CONFIRM alone', async () => {
    const { asked, press, typed, standing } = await inSession('cautious');
    const call = await asked('rm build/a');
    expect(textOf(call.message.blocks)).toContain('to approve it, you type CONFIRM.');
    expect(buttonsOf(call.message)).toEqual(['confirm', 'reject_call', 'open']);
    for (const word of ['confirm', 'yes']) {
      await press(call, 'confirm', 'UADA');
      expect(JSON.stringify(world.slack.modals.at(-1)?.view)).toContain('rm build/a');
      const before = world.slack.ephemerals.length;
      await typed(word);
      expect(whispers(before)).toContain('It is approved only with the word CONFIRM.');
      expect(await standing(call)).toEqual(['pending', null]);
    }
    await press(call, 'confirm', 'UADA');
    await typed('CONFIRM');
    expect(await standing(call)).toEqual(['allowed', 'approved']);
  });

  it('is rejected with or without a reason', async () => {
    const { asked, press, typed, standing } = await inSession('tiers');
    for (const reason of ['', 'Not this branch.']) {
      const call = await asked('git fetch origin');
      await press(call, 'reject_call', 'UADA');
      const form = world.slack.modals.at(-1)?.view;
      expect(form).toMatchObject({ blocks: [{ type: 'header' }, { type: 'rich_text' }, { optional: true }] });
      expect(JSON.stringify(form)).toContain('git fetch origin');
      await typed(reason);
      expect(await standing(call)).toEqual(['denied', 'rejected']);
    }
  });
});
