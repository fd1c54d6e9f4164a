import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { routingHintOf } from '#lib/formats';
import {
  done,
  err,
  newId,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ChangeAuthority,
  type ConfirmedChange,
  type Failure,
  type Guarded,
  type Principal,
  type Result,
  type SecretDigests,
  type TwoPersonRule,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { requireAdmin } from '#lib/tool';
import type { RunnerId } from '../domain/ids.js';
import { NEW_RUNNER, type Runner } from '../domain/runner.js';
import type { EnvironmentNames, RunnerRepository } from './runner.ports.js';

/** How long a token can be exchanged, from the moment that its runner counts as added. */
const TOKEN_LIFETIME_MS = 3_600_000;

/** A runner that was added, and until when its token can be exchanged (epoch milliseconds). */
export interface AddedRunner {
  readonly runner: Runner;
  readonly expiresAt: number;
}

/** A runner that is wanted. */
type NewRunner = Pick<Runner, 'name' | 'pool' | 'environments'>;

/** The one-time token, shown once. It opens nothing while the change waits. */
export interface AskedRunner {
  readonly token: string;
  readonly guarded: Guarded<AddedRunner>;
}

/**
 * Adds a runner to a pool, with the one-time token by which a machine becomes it. That loosens: calls of the pool in its
 * environments go to a further machine. So it waits for a second person. The token opens nothing until then, and only its digest waits.
 *
 * Failures: those of {@link requireAdmin}, `runner.unknown_environment`, `runner.name_taken`.
 */
export class AddRunner implements CarriesOutChange<WantedRunner> {
  readonly payload = wantedRunner;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
    private readonly environments: EnvironmentNames,
    private readonly digests: SecretDigests,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  async execute(by: Principal, wanted: NewRunner): Promise<Result<AskedRunner>> {
    const admin = requireAdmin(by);
    if (!admin.ok) return admin;
    const token = `csr_${randomBytes(32).toString('base64url')}${routingHintOf(by.tenantId)}`;
    const digest = await this.digests.digest('runner_enrolment', token);
    const environments = [...new Set(wanted.environments)].sort();
    const payload = { ...wanted, environments, token_digest: Buffer.from(digest).toString('hex') };
    const added = await this.uow.run(by.tenantId, (tx) => this.#add(tx, admin.value, payload));
    return added.ok ? ok({ token, guarded: added.value }) : added;
  }

  carryOut(tx: Tx, change: ConfirmedChange, wanted: WantedRunner): Promise<Result<Guarded<AddedRunner>>> {
    return this.#add(tx, change, wanted);
  }

  async #add(
    tx: Tx,
    authority: ChangeAuthority,
    { name, pool, environments, token_digest: digest }: WantedRunner,
  ): Promise<Result<Guarded<AddedRunner>>> {
    const known = await this.environments.names(tx);
    const unknown = environments.find((each) => !known.includes(each));
    if (unknown !== undefined) return err(unknownEnvironment(unknown, known));
    if ((await this.runners.byName(tx, name)) !== null) return err(nameTaken(name));
    const admission = await this.twoPersonRule.admit(tx, authority, {
      kind: 'runner',
      subject: { type: 'runner', id: name },
      what: `The runner ${name} of the pool ${pool} in ${environments.join(', ')}`,
      payload: { name, pool, environments, token_digest: digest },
      base: { runner: null },
      loosens: environments.map(
        (each) => `calls of the pool ${pool} in ${each} go to the machine that uses the token, too`,
      ),
      detail: { name, pool, environments },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const now = await tx.now();
    const id = newId<RunnerId>();
    const made = { id, name, pool, environments, createdBy: admitted.authorId, createdAt: now };
    const expiresAt = now + TOKEN_LIFETIME_MS;
    await this.runners.insert(tx, made);
    await this.runners.insertEnrolment(tx, {
      id: newId(),
      runnerId: id,
      digest: Buffer.from(digest, 'hex'),
      createdAt: now,
      expiresAt,
    });
    await this.twoPersonRule.outdate(tx, admitted, {
      kind: 'runner',
      subjectId: name,
      why: `A runner ${name} was added meanwhile.`,
      base: () => ({ runner: id }),
    });
    await this.audit.record(tx, {
      action: 'runner.added',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'runner', id },
      payload: { name, pool, environments, expires_at: expiresAt, ...admitted.provenance },
    });
    return ok(done({ runner: { ...made, ...NEW_RUNNER }, expiresAt }, admitted));
  }
}

const wantedRunner = z.strictObject({
  name: z.string(),
  pool: z.string(),
  environments: z.array(z.string()).min(1),
  token_digest: z.string().regex(/^[0-9a-f]{64}$/),
});
type WantedRunner = z.infer<typeof wantedRunner>;

const unknownEnvironment = (name: string, known: readonly string[]): Failure => {
  const [code, message] = ['runner.unknown_environment', `There is no environment "${name}".`];
  return {
    kind: 'unprocessable',
    code,
    message,
    action: `Name one of these: ${known.join(', ')}.`,
    errors: [{ pointer: '/environments', code, message }],
  };
};

const nameTaken = (name: string): Failure => ({
  kind: 'conflict',
  code: 'runner.name_taken',
  message: `There is a runner ${name} already.`,
  action: 'Choose another name, or revoke that runner first.',
});
