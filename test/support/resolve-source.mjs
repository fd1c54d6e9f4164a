import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { imports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** A package that names its modules for `import` alone; jest, which runs CommonJS here, sees them transpiled. */
const FOR_IMPORT_ALONE = '@modelcontextprotocol/ext-tasks/';

/** People get the React of production. The one for developers renders a page several times as slowly. */
const OF_DEVELOPERS = /^\.\/cjs\/(react(?:-jsx-runtime|-dom[\w.-]*)?)\.development\.js$/;

/**
 * Finds modules as the compiler does. A relative `./name.js` is the source `./name.ts` or `./name.tsx`, and `#lib/name` the file
 * that package.json names as its types. Jest keeps the answers of a resolver, and would apply a mapping of names anew at every
 * import.
 */
export function sync(request, options) {
  const { basedir, rootDir, defaultResolver } = options;
  const library = imports[request];
  if (library !== undefined) return join(rootDir, library.types);
  if (request.startsWith('.') && request.endsWith('.js')) {
    for (const ending of ['ts', 'tsx']) {
      const source = join(basedir, request.replace(/js$/, ending));
      if (existsSync(source)) return source;
    }
  }
  const [, react] = OF_DEVELOPERS.exec(request) ?? [];
  if (react !== undefined) return defaultResolver(`./cjs/${react}.production.js`, options);
  if (request.startsWith(FOR_IMPORT_ALONE)) return defaultResolver(request, { ...options, conditions: ['import'] });
  return defaultResolver(request, options);
}
