/**
 * Reads Dockerfile and .dockerignore as far as ours use them. So they can be checked where no container engine is.
 * test/packaging/container.spec.ts looks at them, and tools/check-image.mjs carries them out.
 */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The stages of a Dockerfile, each with its instructions in order; a heredoc or a parser directive is not understood.
 *
 * @param {string} text
 * @returns {import('./container-files.d.mts').Stage[]}
 */
export function dockerfileStages(text) {
  const stages = [];
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === 'FROM') {
      const [image = '', , alias = `stage-${stages.length}`] = rest.split(/\s+/);
      stages.push({ name: alias, image, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`"${line}" stands before the first FROM.`);
    stage.instructions.push({ name, text: rest });
  }
  return stages;
}

/**
 * The operands of COPY: the stage to copy from (null: the build context), the sources, and the target.
 *
 * @param {string} text the text after the word COPY.
 */
export function copyOperands(text) {
  const words = text.split(/\s+/);
  const from = words[0]?.startsWith('--from=') ? words.shift().slice('--from='.length) : null;
  return { from, sources: words.slice(0, -1), target: words.at(-1) ?? '.' };
}

/**
 * Whether .dockerignore keeps a path out of the build context. The last pattern that matches it, or a folder above it, decides.
 *
 * @param {string} text the file.
 * @returns {(path: string) => boolean} for a path relative to the context, with `/` between its parts.
 */
export function ignoredBy(text) {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const keeps = line.startsWith('!');
      return { keeps, pattern: patternOf(line.slice(keeps ? 1 : 0).replace(/^\/|\/$/g, '')) };
    });
  return (path) => {
    const parts = path.split('/');
    const selfAndAbove = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const last = rules.findLast(({ pattern }) => selfAndAbove.some((each) => pattern.test(each)));
    return last !== undefined && !last.keeps;
  };
}

function patternOf(glob) {
  const source = glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      if (part === '?') return '[^/]';
      return part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}

/**
 * Every file of the build context.
 *
 * @param {string} root
 * @param {(path: string) => boolean} isIgnored
 */
export function contextFiles(root, isIgnored) {
  const top = readdirSync(root, { withFileTypes: true }).filter(
    // .dockerignore never lets these folders back in: they need not be walked.
    (entry) => entry.isFile() || !['.git', 'node_modules', 'dist', 'coverage', '.countersign'].includes(entry.name),
  );
  return top
    .flatMap((entry) =>
      entry.isFile()
        ? [entry.name]
        : readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true })
            .filter((inner) => inner.isFile())
            .map((inner) => join(inner.parentPath, inner.name).slice(root.length + 1)),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !isIgnored(path));
}

/** Copies a file or folder, as COPY does: a folder's contents go into the target. */
export function copyInto(source, target) {
  cpSync(source, target, { recursive: true, verbatimSymlinks: true });
}
