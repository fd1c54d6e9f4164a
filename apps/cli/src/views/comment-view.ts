import pc from 'picocolors';
import type { CommentView } from '#lib/api-schemas';
import { indented, moment, oneLine, quoted } from '../output.js';

/** One comment; an agent's words are marked as such. */
export const commentLines = ({ author, body, created_at: at, via }: CommentView): string[] => [
  `${pc.bold(oneLine(author.display_name))}, ${moment(at)}${via === 'slack' ? ', in Slack' : ''}${
    author.kind === 'agent' ? pc.dim(' (written by the agent; not verified)') : ''
  }`,
  ...indented(quoted(body)),
];
