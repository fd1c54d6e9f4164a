import type { ImpactReportView } from '#lib/api-schemas';
import { ownMember } from '#lib/canonical';
import type { Example } from '#lib/impact';

const PAGES: Readonly<Record<string, string>> = {
  run: '/runs',
  approval_request: '/requests',
  plan: '/plans',
  session: '/sessions',
  automation: '/automations',
  task: '/tasks',
};

/** The innermost thing with a page of its own that a decision was taken in. Without one, its entries in the audit log. */
export function pageOfExample({
  subject,
  within,
}: Example): ImpactReportView['groups'][number]['examples'][number]['page'] {
  const shown = [...within, subject].reverse().find(({ type }) => Object.hasOwn(PAGES, type));
  const { type, id } = shown ?? subject;
  const page = ownMember(PAGES, type);
  return {
    name: `${type.replaceAll('_', ' ')} …${id.slice(-8)}`,
    path: page === undefined ? `/audit?subject_id=${encodeURIComponent(id)}` : `${page}/${id}`,
  };
}
