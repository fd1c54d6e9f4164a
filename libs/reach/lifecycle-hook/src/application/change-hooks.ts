import { z } from 'zod';
import { unifiedDiff } from '#lib/autonomy';
import {
  done,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ChangeAuthority,
  type ConfirmedChange,
  type Guarded,
  type LogFollowing,
  type PersonPrincipal,
  type Result,
  type TwoPersonRule,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { revisionOf, yamlOf } from '../domain/hook-document.js';
import type { LifecycleHookId } from '../domain/ids.js';
import { isUnchanged, loosenedHooks, type HookSettings, type LifecycleHook } from '../domain/lifecycle-hook.js';
import { readHooks } from '../domain/read-hooks.js';
import { settleFollowing } from './settle-following.js';
import type { ExecutionStore, HookStore } from './lifecycle-hook.ports.js';

/** The settings of the hooks, as a change and its base store them. */
const speltHook = z.strictObject({
  name: z.string(),
  event: z.string(),
  matcher: z.string(),
  action: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('log'), message: z.string() }),
    z.strictObject({
      type: z.literal('command'),
      program: z.string(),
      arguments: z.array(z.string()),
      variables: z.record(z.string(), z.string()),
      timeoutSeconds: z.int(),
      pool: z.string(),
      environment: z.string(),
    }),
  ]),
  enabled: z.boolean(),
});
const speltHooks = z.strictObject({ hooks: z.array(speltHook) });
type SpeltHooks = z.infer<typeof speltHooks>;

/** The parts that change hooks. */
export interface ChangeHooksParts {
  readonly hooks: HookStore;
  readonly executions: Pick<ExecutionStore, 'expireOf'>;
  readonly following: LogFollowing;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
}

/** Lifecycle hooks are one subject: its document is changed as a whole. */
const SUBJECT = 'hooks';

/**
 * Puts the hooks of a tenant in force, and switches one on or off. A command hook that was not on as it is now loosens, and waits for a
 * second person. All else is in force at once. Executions that wait for a runner end if their hook is removed, changed or switched off.
 *
 * Failures: those of {@link readHooks}, `resource.not_found`.
 */
export class ChangeHooks implements CarriesOutChange<SpeltHooks> {
  readonly payload = speltHooks;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly parts: ChangeHooksParts,
  ) {}

  /** @param requireCurrent throws if the person read another {@link revisionOf} the hooks; called under the lock. */
  async put(
    by: PersonPrincipal,
    source: string,
    requireCurrent: (revision: string) => void,
  ): Promise<Result<Guarded<readonly LifecycleHook[]>>> {
    const read = readHooks(source);
    if (!read.ok) return read;
    return this.uow.run(by.tenantId, (tx) =>
      this.#put(tx, by, (before) => {
        requireCurrent(revisionOf(before));
        return ok(read.value);
      }),
    );
  }

  /** Checks hooks that are saved nowhere. @returns the loosening of putting them in force, in words. */
  async validate(by: PersonPrincipal, source: string): Promise<Result<readonly string[]>> {
    const read = readHooks(source);
    if (!read.ok) return read;
    return this.uow.run(by.tenantId, async (tx) => ok(loosenedHooks(await this.parts.hooks.all(tx), read.value)));
  }

  /** @returns the hook as it is now. */
  async switch(by: PersonPrincipal, name: string, enabled: boolean): Promise<Result<Guarded<LifecycleHook>>> {
    const put = await this.uow.run(by.tenantId, (tx) =>
      this.#put(tx, by, (hooks) =>
        hooks.some((hook) => hook.name === name)
          ? ok(hooks.map((hook) => (hook.name === name ? { ...hook, enabled } : hook)))
          : err(notFound('hook')),
      ),
    );
    if (!put.ok) return put;
    if (put.value.outcome === 'waits') return ok(put.value);
    const hook = put.value.value.find((each) => each.name === name);
    return hook === undefined ? err(notFound('hook')) : ok({ ...put.value, value: hook });
  }

  carryOut(tx: Tx, change: ConfirmedChange, { hooks }: SpeltHooks): Promise<Result<Guarded<readonly LifecycleHook[]>>> {
    return this.#put(tx, change, () => ok(hooks));
  }

  async #put(
    tx: Tx,
    authority: ChangeAuthority,
    wantedOf: (before: readonly LifecycleHook[]) => Result<readonly HookSettings[]>,
  ): Promise<Result<Guarded<readonly LifecycleHook[]>>> {
    const { hooks, executions, following, twoPersonRule, audit } = this.parts;
    await hooks.lockForChange(tx);
    const before = await hooks.all(tx);
    const wanted = wantedOf(before);
    if (!wanted.ok) return wanted;
    const payload = spelt(wanted.value);
    const admission = await twoPersonRule.admit(tx, authority, {
      kind: 'lifecycle_hook',
      subject: { type: 'lifecycle_hook', id: SUBJECT },
      what: 'The lifecycle hooks',
      payload,
      base: spelt(before),
      loosens: loosenedHooks(before, wanted.value),
      detail: {
        diff: unifiedDiff(
          { name: 'in force', source: yamlOf(before) },
          { name: 'asked for', source: yamlOf(wanted.value) },
        ),
      },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const now = await tx.now();
    const after = wanted.value.map((settings, position): LifecycleHook => {
      const standing = before.find(({ name }) => name === settings.name);
      const { name, event, matcher, action, enabled } = settings;
      const kept = standing !== undefined && isUnchanged(standing, settings) ? standing : null;
      return {
        ...{ name, event, matcher, action, enabled, position },
        id: kept?.id ?? newId<LifecycleHookId>(),
        createdBy: kept?.createdBy ?? admitted.authorId,
        createdAt: kept?.createdAt ?? now,
      };
    });
    const over = before.filter(({ id }) => !after.some((hook) => hook.id === id && hook.enabled)).map(({ id }) => id);
    await executions.expireOf(tx, over, SWITCHED_OFF);
    await hooks.replace(tx, after);
    await settleFollowing(tx, after, following);
    await twoPersonRule.outdate(tx, admitted, {
      kind: 'lifecycle_hook',
      subjectId: SUBJECT,
      why: 'The lifecycle hooks were changed meanwhile.',
      base: () => payload,
    });
    await audit.record(tx, {
      action: 'lifecycle_hook.changed',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'lifecycle_hook', id: SUBJECT },
      payload: { before: spelt(before), after: payload, ...admitted.provenance },
    });
    return ok(done(after, admitted));
  }
}

/** Copies, so that the members stand in one order: digests compare them. */
const spelt = (hooks: readonly HookSettings[]): SpeltHooks => ({
  hooks: hooks.map(({ name, event, matcher, action, enabled }) => ({
    ...{ name, event, matcher, enabled },
    action:
      action.type === 'log'
        ? { type: action.type, message: action.message }
        : { ...action, arguments: [...action.arguments], variables: { ...action.variables } },
  })),
});

const SWITCHED_OFF = {
  code: 'lifecycle_hook.switched_off',
  message: 'The hook was removed, changed or switched off before a runner took it.',
};
