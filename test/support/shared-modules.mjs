import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The logger of the first application stays in this package, as its exporters do in those of OpenTelemetry. */
const NEVER_SHARED = /\/node_modules\/(nestjs-pino|@opentelemetry\/(?!api\/))/;

const OWN = /^(libs|apps\/(?!web\/)).*\.ts$/;

/** They keep databases, browsers and the compiled package from one file for the next. */
const KEPT = [
  'test/support/kept-databases.ts',
  'test/support/kept-browsers.ts',
  'test/support/compiled-package.ts',
  'test/support/build-lock.ts',
  'test/support/test-server.mjs',
];

/** Tests and their fakes; programs, which act while they load; and those that import the logger of an application. */
const BY_FILE =
  /\.(spec|contract)\.ts$|\/fake-[^/]*$|\/main\.ts$|^apps\/api\/src\/(app\.module|create-api)\.ts$|^apps\/cli\/src\/(commands\/server|start-server|program|command-line)\.ts$/;

/** Whether the test files of a worker share the module, so that it is evaluated once. test/architecture checks their state, but not that of KEPT. */
export function isShared(path) {
  if (path.includes('/node_modules/')) return !NEVER_SHARED.test(path);
  const own = path.startsWith(ROOT) ? path.slice(ROOT.length) : '';
  return KEPT.includes(own) || (OWN.test(own) && !BY_FILE.test(own));
}
