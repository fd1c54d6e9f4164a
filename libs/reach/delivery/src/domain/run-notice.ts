import { ownMember } from '#lib/canonical';
import type { Content } from './content.js';
import { paragraph, shown } from './lines.js';

/** An event of a run. */
export interface RunNotice {
  readonly event: string;
  readonly reason: string | null;
  readonly outcome: string | null;
}

const RUN_WORDS: Readonly<Record<string, string>> = {
  'run.started': 'The run has started.',
  'run.paused': 'The run is paused.',
  'run.resumed': 'The run goes on.',
  'run.completed': 'The run is complete.',
  'run.rolling_back': 'The run is being rolled back.',
  'run.rolled_back': 'The run was rolled back.',
  'run.rollback_failed': 'Rolling back failed: somebody has to look.',
  'run.cancelled': 'The run was cancelled.',
  'run.failed': 'The run failed.',
};

export const runNoticeContent = ({ event, reason, outcome }: RunNotice, url: string): Content => ({
  title: ownMember(RUN_WORDS, event) ?? event,
  lines: [reason, outcome].flatMap((text) => (text === null ? [] : [paragraph(shown(text))])),
  closing: [],
  url,
});
