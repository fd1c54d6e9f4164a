import { newId } from '#lib/kernel';
import { FakeSlackApi } from './fake-slack-api.js';
import { sampleApp, sampleInstalled } from './fake-slack-app.js';
import { describeSlackApi, type SlackRefusal } from './slack-api.contract.js';
import { SlackCallError } from './slack.ports.js';

describeSlackApi('FakeSlackApi', () => {
  const api = new FakeSlackApi();
  return Promise.resolve({
    api,
    app: sampleApp(),
    installed: sampleInstalled(),
    texts: (channel, threadTs) => api.texts(channel, threadTs),
    whispers: (user) => api.ephemerals.filter((each) => each.user === user).map(({ content }) => content.text),
    modals: () => api.modals,
    trigger: () => {
      const trigger = newId();
      api.triggers.add(trigger);
      return trigger;
    },
    consent: () => api.consent(),
    delete: (ts) => {
      api.posts.delete(ts);
    },
    refuseNextPost: (refusal) => {
      api.failures.push({ method: 'post', error: errorOf(refusal) });
    },
    freePace: () => undefined,
    close: () => Promise.resolve(),
  });
});

function errorOf(refusal: SlackRefusal): SlackCallError {
  if (refusal === 'hangs up') return new SlackCallError('unreachable', true);
  return 'error' in refusal
    ? new SlackCallError(refusal.error, refusal.error === 'internal_error')
    : new SlackCallError('rate_limited', true, refusal.waitSeconds * 1_000);
}
