import type { ImpactReportView } from '#lib/api-schemas';
import { inWords } from '../components/tone-of.js';

type Example = ImpactReportView['groups'][number]['examples'][number];

const PAGES: Readonly<Record<string, string>> = {
  run: '/runs',
  approval_request: '/requests',
  plan: '/plans',
  session: '/sessions',
  automation: '/automations',
  task: '/tasks',
};

/** The page that shows a decision, or its entry in the audit log. */
export function pathOfExample({ subject, within }: Example): { readonly path: string; readonly word: string } {
  const things = [...within, subject].reverse();
  const shown = things.find(({ type }) => Object.hasOwn(PAGES, type));
  const { type, id } = shown ?? subject;
  const word = `${inWords(type)} …${id.slice(-8)}`;
  const page = PAGES[type];
  return { path: page === undefined ? `/audit?subject_id=${encodeURIComponent(id)}` : `${page}/${id}`, word };
}
