import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An event as PagerDuty's Events API v2 takes it. */
export interface PagerDutyEvent {
  readonly routing_key: string;
  readonly event_action: 'trigger' | 'acknowledge' | 'resolve';
  readonly dedup_key: string;
  readonly payload?: { readonly summary: string; readonly source: string; readonly severity: string };
}

/** A server that behaves like PagerDuty's Events API v2. */
export interface LocalPagerDuty {
  readonly url: string;
  /** The accepted events, in order. */
  readonly taken: readonly PagerDutyEvent[];
  /** How many it turned away. */
  readonly refused: () => number;
  /** The next so many events are answered 429. */
  throttle(events: number): void;
  close(): Promise<void>;
}

const SEVERITIES: readonly unknown[] = ['critical', 'error', 'warning', 'info'];

/** The fault of an event, in PagerDuty's own words; null if there is none. */
function wrongWith(event: Partial<PagerDutyEvent>, routingKey: string): string | null {
  if (event.routing_key !== routingKey || !/^[0-9a-zA-Z]{32}$/.test(routingKey)) return 'Invalid routing key';
  if (!['trigger', 'acknowledge', 'resolve'].includes(event.event_action ?? '')) return "'event_action' is invalid";
  if ((event.dedup_key?.length ?? 0) > 255) return "'dedup_key' is too long";
  if (event.event_action !== 'trigger') return event.dedup_key === undefined ? "'dedup_key' is missing" : null;
  const { summary = '', source = '', severity } = event.payload ?? {};
  if (summary === '' || summary.length > 1024) return "'payload.summary' is missing, blank or too long";
  if (source === '') return "'payload.source' is missing or blank";
  return SEVERITIES.includes(severity) ? null : "'payload.severity' is invalid";
}

export async function localPagerDuty(routingKey: string): Promise<LocalPagerDuty> {
  const taken: PagerDutyEvent[] = [];
  let refused = 0;
  let throttled = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const answer = (status: number, body: object): void => {
        if (status !== 202) refused += 1;
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      if (request.method !== 'POST' || request.url !== '/v2/enqueue') {
        answer(404, { status: 'not found' });
        return;
      }
      if (throttled > 0) {
        throttled -= 1;
        answer(429, { status: 'throttle exceeded', message: 'Requests for this service are arriving too quickly.' });
        return;
      }
      const event = JSON.parse(Buffer.concat(parts).toString()) as PagerDutyEvent;
      const wrong = wrongWith(event, routingKey);
      if (wrong !== null) {
        answer(400, { status: 'invalid event', message: 'Event object is invalid', errors: [wrong] });
        return;
      }
      taken.push(event);
      answer(202, { status: 'success', message: 'Event processed', dedup_key: event.dedup_key });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v2/enqueue`,
    taken,
    refused: () => refused,
    throttle: (events) => {
      throttled = events;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
