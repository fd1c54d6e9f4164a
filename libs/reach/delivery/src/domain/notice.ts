import type { PlanDescription } from '#lib/plan';
import type { Content } from './content.js';
import { bullet, paragraph, quote, shown } from './lines.js';
import { whatIsDone } from './what-is-done.js';

/** A message about something other than a request or a run: a change request, an incident. */
export interface Notice {
  readonly title: string;
  /** Facts, one a line. */
  readonly lines: readonly string[];
  /** The plan that was or would be executed; null if the notice is about no plan. */
  readonly done: PlanDescription | null;
  /** Words of a person, and their name. */
  readonly words: { readonly of: string; readonly text: string } | null;
  readonly url: string;
}

export const noticeContent = ({ title, lines, done, words, url }: Notice): Content => ({
  title,
  lines: [
    ...lines.map((each) => bullet(shown(each))),
    ...(done === null ? [] : whatIsDone(done)),
    ...(words === null ? [] : [paragraph(shown(`In the words of ${words.of}:`)), quote(shown(words.text))]),
  ],
  closing: [],
  url,
});
