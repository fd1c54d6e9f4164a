import { measurementOf, type Measurement } from './measurement.js';
import { spreadOf } from './percentile.js';
import { slackInstallation } from './slack-installation.js';

const ROUNDS = 5;
const CLICKS = 200;
const AT_ONCE = 16;
/** Slack waits so long for an acknowledgement. */
const SLACK_WAITS_MS = 3_000;

/**
 * `slack-ack`: p99 from a click to its acknowledgement, against Slack's three seconds. Sixteen clicks are under way at any time,
 * and all of them are worked on.
 */
export async function slackAck(): Promise<readonly Measurement[]> {
  const { slack, close } = await slackInstallation();
  try {
    const message = {
      channel: 'C0BENCH',
      ts: '1.1',
      blocks: [{ elements: [{ action_id: 'countersign.approve', value: 'of nobody' }] }],
    };
    Object.assign(slack.workspace.channels, { C0BENCH: 'bench' });
    const round = async (): Promise<readonly number[]> => {
      const times: number[] = [];
      let left = CLICKS;
      const click = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          const { status, body, ms } = await slack.press(message, 'countersign.approve', 'U0LEAD');
          if (status !== 200 || body !== '') throw new Error(`a click was answered ${String(status)}: ${body}`);
          times.push(ms);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, click));
      return times;
    };
    await round();
    const ratios: number[] = [];
    for (let each = 0; each < ROUNDS; each += 1) ratios.push(spreadOf(await round()).p99 / SLACK_WAITS_MS);
    return [measurementOf('slack-ack', ratios)];
  } finally {
    await close();
  }
}
