import type { ConnectionStore, Receiver } from '#lib/connection';
import { maskedBeginning, maskSecretText, type TenantId, type UnitOfWork } from '#lib/kernel';
import { failureInWords } from '#lib/outbound';
import type { Collector, CollectorSettings } from '../domain/collector.js';
import type { OcsfSink } from './siem.ports.js';

/** More of an answer is not kept, in characters. */
const ERROR_CHARACTERS = 1_000;

/** The name under which collectors follow the log. */
export const COLLECTOR_FOLLOWER = 'siem_collector';

/** Sends lines to the collector of a tenant: NDJSON in one POST. Any status from 200 to 299 says that it has kept them. */
export class CollectorSink implements OcsfSink {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly collectors: Pick<ConnectionStore<CollectorSettings>, 'find' | 'token' | 'note'>,
    private readonly receiver: Receiver,
  ) {}

  async write(tenantId: TenantId, lines: readonly string[]): Promise<void> {
    const target = await this.uow.run(tenantId, async (tx) => {
      const collector = await this.collectors.find(tx);
      return collector === null ? null : { collector, token: await this.collectors.token(tx, collector.id) };
    });
    // It was removed meanwhile, and nothing follows the log for it any more.
    if (target === null) return;
    const error = await this.#send(tenantId, target.collector, target.token, `${lines.join('\n')}\n`);
    await this.uow.run(tenantId, (tx) => this.collectors.note(tx, target.collector, error));
    if (error !== null) throw new Error(`The SIEM collector did not take the lines. ${error}`);
  }

  /** @returns the reason why it did not take them, masked. */
  async #send(tenantId: TenantId, { url, ca }: Collector, token: string | null, body: string): Promise<string | null> {
    const headers = {
      'content-type': 'application/x-ndjson',
      'user-agent': 'Countersign-SIEM',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    };
    try {
      const answer = await this.receiver.send(tenantId, { url, ca, headers, body });
      if (answer.status >= 200 && answer.status < 300) return null;
      return shown(`It answered ${String(answer.status)}. ${answer.body}`, token);
    } catch (error) {
      return shown(failureInWords(error), token);
    }
  }
}

/** A collector may repeat the token in its answer. */
function shown(text: string, token: string | null): string {
  return maskedBeginning(text.trim(), ERROR_CHARACTERS, (plain) =>
    maskSecretText(token === null ? plain : plain.replaceAll(token, '[masked]')),
  );
}
