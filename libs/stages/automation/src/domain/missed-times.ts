import type { AutomationFault } from './automation.js';
import { MAX_COUNTED } from './occurrences.js';

const MISSED = 'automation.missed';

/** The reason why the run of a time is left out that was found late, with those before it. @param latest epoch milliseconds. */
export function missedTimes(count: number, latest: number): AutomationFault {
  const at = new Date(latest).toISOString();
  if (count === 1) return { code: MISSED, message: `The time ${at} of its schedules was found too late` };
  const many = count < MAX_COUNTED ? String(count) : `${String(MAX_COUNTED)} or more`;
  return { code: MISSED, message: `${many} times of its schedules were found too late, the latest one is ${at}` };
}

/** The reason why the run of an event is left out that was found late, with those before it. */
export const missedEvents = (count: number): AutomationFault => ({
  code: MISSED,
  message: count === 1 ? 'An event was found too late' : `${String(count)} events were found too late`,
});
