import { newId, type ApprovalRequestId } from '#lib/kernel';
import { digest, requestIn } from '../../../../../test/support/approval-samples.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleSubject } from '../application/fake-subject.js';
import { changesBetween } from './changes-between.js';

it('lists the changed digests since an approval, and the changed calls of the plan', () => {
  const { plan } = sampleSubject(sampleTenant(), 0);
  const request = requestIn('consumed');
  const [canary] = plan.expanded.phases;
  const newer = { ...plan, revision: 2, expanded: { ...plan.expanded, phases: canary === undefined ? [] : [canary] } };
  const asked = {
    ...request,
    id: newId<ApprovalRequestId>(),
    binding: { ...request.binding, environment: digest('9') },
  };
  const same = changesBetween({ request, plan, approvedAt: 5 }, { request, plan });
  const changed = changesBetween({ request, plan, approvedAt: 5 }, { request: asked, plan: newer });
  expect(same).toMatchObject({ requestId: request.id, approvedAt: 5, bound: [] });
  expect(changed).toMatchObject({ requestId: request.id, approvedAt: 5 });
  expect(changed.bound).toEqual([{ member: 'environment', names: [] }]);
  expect(same.plan.calls).toEqual([]);
  const removed = { kind: 'removed', phase: 'wave', seqAfter: null };
  expect(changed.plan.calls).toEqual(Array.from({ length: 5 }, () => expect.objectContaining(removed) as unknown));
});
