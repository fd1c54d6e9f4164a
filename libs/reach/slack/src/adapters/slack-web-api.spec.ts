import { LocalSlack } from '../../../../../test/support/local-slack.js';
import { sampleApp, sampleInstalled } from '../application/fake-slack-app.js';
import { describeSlackApi } from '../application/slack-api.contract.js';
import { SlackWebApi } from './slack-web-api.js';

describeSlackApi('SlackWebApi', async () => {
  const [app, installed] = [sampleApp(), sampleInstalled()];
  const slack = new LocalSlack({
    ...app,
    ...installed,
    channels: { C1: 'production', C2: 'changes' },
    users: { UADA: 'Ada', UBEN: 'Ben' },
  });
  await slack.listen();
  return {
    api: new SlackWebApi(slack.url),
    app,
    installed,
    texts: (channel, threadTs) =>
      (threadTs === undefined ? slack.in(channel) : slack.thread(threadTs)).map(({ text }) => text),
    whispers: (user) => slack.ephemerals.filter((each) => each.user === user).map(({ text }) => text),
    modals: () => slack.modals.map(({ view }) => view),
    trigger: (user) => slack.trigger(user),
    consent: () => slack.consent(),
    delete: (ts) => {
      slack.delete(ts);
    },
    refuseNextPost: (refusal) => {
      slack.fail(
        'chat.postMessage',
        refusal === 'hangs up'
          ? { kind: 'drop' }
          : 'error' in refusal
            ? { kind: 'error', error: refusal.error }
            : { kind: 'rate_limited', retryAfterSeconds: refusal.waitSeconds },
      );
    },
    freePace: () => {
      slack.freePace();
    },
    close: () => slack.close(),
  };
});

it('loads its client again after it could not', async () => {
  const installed = sampleInstalled();
  const slack = new LocalSlack({ ...sampleApp(), ...installed, channels: {}, users: {} });
  await slack.listen();
  try {
    let loads = 0;
    const api = new SlackWebApi(slack.url, () => {
      loads += 1;
      return loads === 1 ? Promise.reject(new Error('too many open files')) : import('@slack/web-api');
    });
    const asked = () => api.workspaceOf(installed.botToken);
    await expect(asked()).rejects.toThrow('too many open files');
    await expect(asked()).resolves.toMatchObject({ teamId: installed.teamId });
    await asked();
    expect(loads).toBe(2);
  } finally {
    await slack.close();
  }
});
