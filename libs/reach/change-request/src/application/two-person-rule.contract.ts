import { z } from 'zod';
import type { Json } from '#lib/canonical';
import {
  actorOf,
  type AdmittedChange,
  type ChangeAuthority,
  type ChangeAdmission,
  type MovedBase,
  ok,
  type PersonPrincipal,
  type ProposedChange,
  type Result,
  type Tx,
  type TwoPersonRule,
} from '#lib/kernel';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { type ContractWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';

const flag = z.strictObject({ production: z.boolean() });

/** A change that loosens. */
export const proposed = (members: Partial<ProposedChange> = {}): ProposedChange => ({
  kind: 'environment',
  subject: { type: 'environment', id: 'production' },
  what: 'production no longer counts as production',
  payload: { production: false },
  base: { version: 1 },
  loosens: ['production asks for less'],
  detail: {},
  ...members,
});

const changeIdOf = (admission: Result<ChangeAdmission>): string => {
  if (!admission.ok || admission.value.outcome !== 'waits') throw new Error('The change does not wait.');
  return admission.value.change.id;
};

/** The contract of a two-person rule. @param open with a second admin in the tenant, or none. */
export function describeTwoPersonRule(
  name: string,
  open: (secondAdmin: boolean) => { readonly world: ContractWorld; readonly rule: TwoPersonRule },
): void {
  const opened = (secondAdmin: boolean) => {
    const { world, rule } = open(secondAdmin);
    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const silent = world.home.admin;
    const author: PersonPrincipal = { ...silent, reason: 'It is retired.' };
    return {
      /** The admin who asks for changes, with a reason and without. */
      author,
      silent,
      confirmer: samplePerson(world.home.tenantId, ['PlatformAdmin']),
      admit: (change: ProposedChange, by: ChangeAuthority = author) => atHome((tx) => rule.admit(tx, by, change)),
      demand: (by: PersonPrincipal) => atHome((tx) => rule.demandReason(tx, by, proposed())),
      outdate: (
        base: Json | undefined,
        members: Partial<MovedBase> = {},
        provenance: AdmittedChange['provenance'] = {},
      ) => {
        const moved: MovedBase = { kind: 'environment', subjectId: 'production', why: 'It moved.', base: () => base };
        return atHome((tx) => rule.outdate(tx, { actor: actorOf(author), provenance }, { ...moved, ...members }));
      },
      outdateAll: (base: Json) => {
        const moved: MovedBase = { kind: 'environment', why: 'It moved.', base: () => base };
        return atHome((tx) => rule.outdate(tx, { actor: actorOf(author), provenance: {} }, moved));
      },
      waiting: (subjectId = 'production', schema: z.ZodType = flag) =>
        atHome((tx) => rule.waiting(tx, 'environment', subjectId, schema)),
    };
  };

  describe(`${name} keeps the contract of TwoPersonRule`, () => {
    it.each([true, false])('admits a change that only tightens at once; a second admin: %s', async (secondAdmin) => {
      const { author, silent, admit, waiting } = opened(secondAdmin);
      expect(await admit(proposed({ loosens: [] }), silent)).toEqual(
        ok({
          outcome: 'admitted',
          admitted: { authorId: author.personId, actor: actorOf(author), provenance: {}, alone: false },
        }),
      );
      expect(await waiting()).toEqual([]);
    });

    it('admits a loosening if no other person could confirm it, and says so', async () => {
      const { author, admit, waiting } = opened(false);
      const admitted = {
        authorId: author.personId,
        actor: actorOf(author),
        provenance: { guarded: false },
        alone: true,
      };
      expect(await admit(proposed())).toEqual(ok({ outcome: 'admitted', admitted }));
      expect(await waiting()).toEqual([]);
    });

    it('lets a loosening wait if another person could confirm it', async () => {
      const { author, admit, waiting } = opened(true);
      const { kind, subject, what, payload, loosens, detail } = proposed();
      expect(await admit(proposed())).toMatchObject(
        ok({
          outcome: 'waits',
          change: {
            ...{ state: 'open', kind, subject, what, payload, loosens, detail },
            ...{ requestedBy: author.personId, why: author.reason },
          },
          refusal: { code: 'change.own' },
          confirmers: [{}],
        }),
      );
      expect(await waiting()).toEqual([{ production: false }]);
      expect(await waiting('staging')).toEqual([]);
      expect(await waiting('production', z.strictObject({ role: z.string() }))).toEqual([]);
    });

    it('lets no change wait without a reason, and keeps nothing of it', async () => {
      const { author, silent, admit, demand, waiting } = opened(true);
      const missing = { failure: { code: 'change.reason_missing' } };
      await expect(admit(proposed(), silent)).rejects.toMatchObject(missing);
      await expect(demand(silent)).rejects.toMatchObject(missing);
      expect(await waiting()).toEqual([]);
      await expect(demand(author)).resolves.toBeUndefined();
      expect(await admit(proposed({ reason: 'Its use case asked.' }), silent)).toMatchObject(ok({ outcome: 'waits' }));
    });

    it('asks a person who is alone for no reason', async () => {
      const { silent, admit, demand } = opened(false);
      await expect(demand(silent)).resolves.toBeUndefined();
      expect(await admit(proposed(), silent)).toMatchObject(ok({ outcome: 'admitted' }));
    });

    it('admits a confirmed change in the name of its author, by the confirmer', async () => {
      const { author, confirmer, admit } = opened(true);
      const confirmed = sampleConfirmation(proposed(), author, confirmer);
      const { changeId } = confirmed;
      expect(await admit(proposed(), confirmed)).toEqual(
        ok({
          outcome: 'admitted',
          admitted: {
            authorId: author.personId,
            actor: actorOf(confirmer),
            provenance: { change_id: changeId, requested_by: author.personId, guarded: true },
            alone: false,
          },
        }),
      );
    });

    it.each<[string, Partial<ProposedChange>]>([
      ['base', { base: { version: 2 } }],
      ['loosening', { loosens: ['production asks for nothing'] }],
    ])('refuses a confirmed change that has another %s now', async (_what, members) => {
      const { author, confirmer, admit } = opened(true);
      const confirmed = sampleConfirmation(proposed(), author, confirmer);
      expect(await admit(proposed(members), confirmed)).toMatchObject({
        ok: false,
        error: { code: 'change.base_changed' },
      });
    });

    it('throws if a confirmed change is carried out as another one', async () => {
      const { author, confirmer, admit } = opened(true);
      const confirmed = sampleConfirmation(proposed(), author, confirmer);
      await expect(admit(proposed({ payload: { production: true } }), confirmed)).rejects.toThrow('as another one');
      await expect(admit(proposed({ kind: 'executor' }), confirmed)).rejects.toThrow('as another one');
    });

    it('voids a change request once its base has moved', async () => {
      const { admit, outdate, waiting } = opened(true);
      const asked = await admit(proposed());
      await outdate({ version: 1 });
      await outdate(undefined);
      await outdate({ version: 2 }, { subjectId: 'staging' });
      await outdate({ version: 2 }, { kind: 'executor' });
      await outdate({ version: 2 }, {}, { change_id: changeIdOf(asked) });
      expect(await waiting()).toEqual([{ production: false }]);
      await outdate({ version: 2 });
      expect(await waiting()).toEqual([]);
    });

    it('voids change requests about every subject if the base is of all', async () => {
      const { admit, outdateAll, waiting } = opened(true);
      await admit(proposed());
      await admit(proposed({ subject: { type: 'environment', id: 'staging' } }));
      expect(await waiting('staging')).toHaveLength(1);
      await outdateAll({ version: 2 });
      expect([await waiting(), await waiting('staging')]).toEqual([[], []]);
    });
  });
}
