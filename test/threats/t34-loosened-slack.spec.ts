import { expectStatus, testApi, type TestApi } from '../support/api.js';
import {
  confirm,
  outcome,
  provedKinds,
  stateOf,
  twoAdmins,
  waits,
  type TwoAdmins,
  type WaitingChange,
} from '../support/change-requests.js';
import { localSlack, type LocalSlack } from '../support/local-slack.js';
import { auditedOf } from '../support/second-factors.js';

let api: TestApi;
let slack: LocalSlack;
let two: TwoAdmins;
beforeAll(async () => {
  slack = await localSlack({});
  api = await testApi({ config: { slackUrl: slack.url } });
  two = await twoAdmins(api);
}, 60_000);
afterAll(async () => {
  await api.close();
  await slack.close();
});

describe('T34: one admin connects Slack', () => {
  it('a Slack app waits, its secrets nowhere to be read, and going without is at once', async () => {
    const { asAda, asBen, totp, adas } = two;
    const secrets = { client_secret: 'c1'.repeat(16), signing_secret: 's1'.repeat(16) };
    const app = { client_id: '1.1', ...secrets };
    const entered = waits(await asAda.put('/v1/slack/app', app));
    expect(entered.loosens).toEqual([
      'anybody who knows the signing secret can press buttons in Slack as anybody who links their account from then on',
    ]);
    expect((await asAda.get('/v1/slack')).body.app).toBeNull();
    const { rows } = await api.db.owner.query<{ row: string }>(
      `select row_to_json(c)::text as row from change_request c where id = $1
       union all select row_to_json(a)::text from audit_entry a where a.subject_id = $1::text
       union all select row_to_json(w)::text from slack_app_waiting w where w.change_id = $1`,
      [entered.id],
    );
    const spelt =
      rows.map(({ row }) => row).join('\n') + JSON.stringify(await asBen.get(`/v1/change-requests/${entered.id}`));
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const secret of Object.values(secrets))
      for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')])
        expect(spelt).not.toContain(form);
    const kept = async (): Promise<readonly unknown[]> =>
      (await api.db.owner.query<object>('select 1 from slack_app_waiting where change_id = $1', [entered.id])).rows;
    expect(await kept()).toHaveLength(1);
    expect(outcome(await confirm(asAda, adas, entered))).toEqual([403, 'change.own']);
    expectStatus(await confirm(asBen, totp, entered), 200);
    expect(await kept()).toHaveLength(0);
    expect((await asAda.get('/v1/slack')).body.app).toEqual({ client_id: '1.1' });
    expect(expectStatus(await asAda.put('/v1/slack/app', app), 200).body).not.toHaveProperty('guarded');
    const other = waits(await asAda.put('/v1/slack/app', { ...app, client_secret: 'c2'.repeat(16) }));
    expect(other.loosens).toEqual(['Slack is installed as the app 1.1, with other credentials than before']);
    expectStatus(await asBen.post(`/v1/change-requests/${other.id}/reject`, { comment: 'no' }), 200);
    expect((await api.db.owner.query('select 1 from slack_app_waiting')).rows).toEqual([]);
    expectStatus(await asAda.delete('/v1/slack/installation'), 204);
  });

  it('a workspace of Slack waits, the bot’s token nowhere to be read; the same one again does not', async () => {
    const { ada, ben, asAda, asBen, totp, adas } = await twoAdmins(api);
    const { clientId, clientSecret, signingSecret, teamId } = slack.workspace;
    const app = { client_id: clientId, client_secret: clientSecret, signing_secret: signingSecret };
    expectStatus(await confirm(asBen, totp, waits(await asAda.put('/v1/slack/app', app))), 200);
    const install = async (): Promise<string> => {
      const { redirect_to: address } = expectStatus(await asAda.get('/v1/slack/install'), 200).body;
      const consented = await fetch(String(address), { redirect: 'manual' });
      const back = new URL(consented.headers.get('location') ?? '');
      const finished = expectStatus(await api.http().get(`${back.pathname}${back.search}`), 303);
      return new URL(String(finished.headers.location)).pathname;
    };
    const installed = async (): Promise<unknown> => (await asAda.get('/v1/slack')).body.installation as unknown;

    const [, id = ''] = /^\/changes\/(.+)$/.exec(await install()) ?? [];
    const change = expectStatus(await asBen.get(`/v1/change-requests/${id}`), 200).body as WaitingChange;
    expect(change.reason).toBe('Because a test asks for it.');
    expect(change).toMatchObject({ kind: 'slack_workspace', state: 'open', requested_by: { id: ada.id } });
    expect(change.loosens[0]).toContain('can press buttons as anybody who links their account there');
    expect(JSON.stringify(change)).not.toContain(slack.workspace.botToken);
    expect(await installed()).toBeNull();
    expect(outcome(await confirm(asAda, adas, change))).toEqual([403, 'change.own']);
    expectStatus(await confirm(asBen, totp, change), 200);
    expect(await installed()).toMatchObject({ team_id: teamId });
    const [record] = (await auditedOf(api, 'slack.installed', ben.id)).slice(-1);
    expect(record).toMatchObject({ change_id: id, requested_by: ada.id });
    expect(await provedKinds(asAda, slack.workspace.botToken)).toEqual(['slack_app', 'slack_workspace']);

    expect(await install()).toBe('/settings/slack');
    expectStatus(await asAda.delete('/v1/slack/installation'), 204);
    expect(await install()).toMatch(/^\/changes\//);
  });

  it('secrets that were swapped while they waited are not entered', async () => {
    const { asAda, asBen, totp } = two;
    const app = (letter: string) => ({
      client_id: '2.2',
      client_secret: letter.repeat(32),
      signing_secret: letter.repeat(32),
    });
    const first = waits(await asAda.put('/v1/slack/app', app('a')));
    const second = waits(await asAda.put('/v1/slack/app', app('b')));
    await api.db.owner.query(
      `update slack_app_waiting mine set key_id = other.key_id, nonce = other.nonce, ciphertext = other.ciphertext
       from slack_app_waiting other where mine.change_id = $1 and other.change_id = $2`,
      [first.id, second.id],
    );
    expect((await confirm(asBen, totp, first)).status).toBe(500);
    expect(await stateOf(asAda, first)).toBe('open');
    expect((await asAda.get('/v1/slack')).body.app).toEqual({ client_id: '1.1' });
  });

  it('leaves evidence for each kind that proves author, confirmer and effect offline', async () => {
    expect(await provedKinds(two.asAda)).toEqual(['slack_app']);
  }, 60_000);
});
