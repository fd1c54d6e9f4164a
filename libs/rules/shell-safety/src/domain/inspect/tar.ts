import type { Argument, Finding, Inspect } from '../inspection.js';

/** Letters of the old style that neither write nor execute: `tar tzvf`. */
const READING_LETTERS = /^[tdvfzjJZpklhmnoPOwWBi]+$/;

/** GNU tar executes rsh to open `host:file` on another host. A slash before the colon makes it a path. */
const REMOTE = /^[^/]*:/;

/** `x` in the old style, and its options. */
const UNPACKS: ReadonlySet<string> = new Set(['-x', '--extract', '--get']);

const effect = (shellClass: 'WRITE' | 'UNKNOWN' | 'NETWORK', code: string, does: string, at: Argument): Finding => ({
  kind: 'effect',
  class: shellClass,
  code,
  does,
  at,
});

/** Reads the old style, whose first word holds options without a dash, and archives on other hosts. */
export const tar: Inspect = (words, _row, { options, operands }) => {
  const findings: Finding[] = [];
  const [first] = words;
  const oldStyle = first !== undefined && !first.prefix.startsWith('-');
  const letters = first?.value ?? '';
  const unpacking =
    options.find(({ name }) => UNPACKS.has(name))?.at ?? (oldStyle && letters.includes('x') ? first : undefined);
  if (unpacking !== undefined) {
    findings.push(effect('UNKNOWN', 'shell.writes_tree', 'writes files that the line does not show', unpacking));
  } else if (oldStyle && /[cruA]/.test(letters)) {
    findings.push(effect('WRITE', 'shell.writes_files', 'packs files', first));
  } else if (oldStyle && !READING_LETTERS.test(letters)) {
    findings.push(effect('UNKNOWN', 'shell.unknown_option', 'has options that the table does not know', first));
  }
  const archives = options.flatMap(({ name, value }) => ((name === '-f' || name === '--file') && value ? [value] : []));
  const candidates = oldStyle ? [...archives, ...operands] : archives;
  for (const archive of candidates) {
    if (archive.value === null || REMOTE.test(archive.value)) {
      findings.push(effect('NETWORK', 'shell.remote_archive', 'may open an archive on another host', archive));
    }
  }
  return findings;
};
