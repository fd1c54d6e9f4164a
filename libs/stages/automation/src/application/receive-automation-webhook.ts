import { parseStrictJson, StrictJsonError, type Json } from '#lib/canonical';
import {
  err,
  ok,
  type AgentPrincipal,
  type Failure,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { AutomationRun } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import { inputsFrom, matches } from '../domain/judge-trigger.js';
import type { AutomationIdentities } from './automation-identities.js';
import type { AutomationRepository, AutomationRunRepository } from './automation.ports.js';
import type { AutomationSecrets, SignedMessage, VerifyMessage } from './automation-webhook.ports.js';
import { requireRoom, startable, wrongInput } from './request-automation-run.js';
import type { StartAutomationRun } from './start-automation-run.js';

/** Deeper bodies are refused. */
const MAX_DEPTH = 32;
const ID = /^[\x21-\x7e]{1,200}$/;

export interface ReceiveAutomationWebhookDeps {
  readonly uow: UnitOfWork;
  readonly automations: Pick<AutomationRepository, 'find' | 'lock'>;
  readonly runs: Pick<AutomationRunRepository, 'startedSince'>;
  readonly secrets: Pick<AutomationSecrets, 'valid'>;
  readonly identities: Pick<AutomationIdentities, 'principalOf'>;
  readonly starting: StartAutomationRun;
  readonly isSigned: VerifyMessage;
}

/**
 * Takes messages of other systems, signed as Standard Webhooks describes it. Before its signature is verified no part of a message
 * counts. The id of a message is the occurrence, so one that comes again starts no further run.
 */
export class ReceiveAutomationWebhook {
  constructor(private readonly deps: ReceiveAutomationWebhookDeps) {}

  /**
   * The agent of the automation that a message is for: its budget counts the messages.
   *
   * Failures: `automation.signature`, the same for an unknown automation and for a wrong signature; `automation.not_enabled`, those
   * of `principalOf`.
   */
  verify(tenantId: TenantId, id: AutomationId, message: SignedMessage): Promise<Result<AgentPrincipal>> {
    return this.deps.uow.run(tenantId, async (tx) => {
      if (!(await this.#isSigned(tx, id, message))) return err(badSignature);
      const automation = await this.deps.automations.find(tx, id);
      if (automation === null) return err(badSignature);
      const document = startable(automation, await tx.now());
      if (!document.ok) return document;
      if (automation.identity === null) throw new Error(`the automation ${id} is enabled without an identity`);
      const principal = await this.deps.identities.principalOf(tx, automation.identity);
      return principal.ok ? principal : err(refusedAgent(principal.error));
    });
  }

  /**
   * Starts the run of a message that is verified.
   *
   * @returns null if no trigger matches its body, or if it came before.
   *
   * Failures: those of {@link verify}, `automation.no_webhook`, `automation.wrong_body`, `automation.wrong_input`,
   * `automation.too_many_runs`.
   */
  start(tenantId: TenantId, id: AutomationId, message: SignedMessage): Promise<Result<AutomationRun | null>> {
    return this.deps.uow.run(tenantId, async (tx) => {
      const automation = await this.deps.automations.lock(tx, id);
      if (automation === null) return err(badSignature);
      const now = await tx.now();
      const document = startable(automation, now);
      if (!document.ok) return document;
      const triggers = document.value.triggers.filter((trigger) => trigger.type === 'webhook');
      if (triggers.length === 0) return err(noWebhook);
      const body = bodyOf(message);
      if (!body.ok) return body;
      const met = triggers.find((trigger) => matches(trigger, body.value));
      if (met === undefined) return ok(null);
      const inputs = inputsFrom(document.value.inputs, met, body.value);
      if (!inputs.ok) return err(wrongInput(inputs.error));
      const room = await requireRoom(tx, this.deps.runs, automation, document.value, now);
      if (!room.ok) return room;
      const occurrence = { occurrence: `webhook:${message.id ?? ''}`, dueAt: now, now, inputs: inputs.value };
      return ok(await this.deps.starting.execute(tx, automation, document.value, occurrence));
    });
  }

  async #isSigned(tx: Tx, id: AutomationId, message: SignedMessage): Promise<boolean> {
    const secrets = await this.deps.secrets.valid(tx, id);
    return ID.test(message.id ?? '') && this.deps.isSigned(secrets, message);
  }
}

function bodyOf({ body }: SignedMessage): Result<Json> {
  try {
    return ok(parseStrictJson(body, MAX_DEPTH));
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return err({
      kind: 'invalid',
      code: 'automation.wrong_body',
      message: `The body is not JSON with one meaning, or nests deeper than ${String(MAX_DEPTH)} levels.`,
      action: 'Send a JSON document.',
    });
  }
}

export const badSignature: Failure = {
  kind: 'unauthenticated',
  code: 'automation.signature',
  message: 'No automation here has a secret that signed this message within the last five minutes.',
  action: 'Check the address, the secret and the clock of the sender.',
};

const noWebhook: Failure = {
  kind: 'conflict',
  code: 'automation.no_webhook',
  message: 'The automation has no trigger of type webhook.',
  action: 'Have an admin add one to its source.',
};

const refusedAgent = ({ code, message }: { readonly code: string; readonly message: string }): Failure => ({
  kind: 'conflict',
  code,
  message,
  action: 'Have an admin look at the automation.',
});
