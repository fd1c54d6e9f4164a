import { embeddedEnded, packageRoot, startEmbeddedPostgres } from '#lib/database';
import { runProcess } from '#lib/operation';

const LOOK_MS = 1_000;

/** Runs the PostgreSQL of a folder until SIGTERM or SIGINT, or until it ends by itself. */
export async function servePostgres(directory: string, onReady: (port: number) => void): Promise<void> {
  await runProcess(async (stops) => {
    const server = await startEmbeddedPostgres({ directory, root: packageRoot() });
    stops.push(() => server.stop());
    const stopAtExit = (): void => {
      server.stopAtExit();
    };
    process.once('exit', stopAtExit);
    const gone = new AbortController();
    const watch = setInterval(() => {
      void server.runs().then((runs) => {
        if (!runs) gone.abort();
      });
    }, LOOK_MS);
    stops.push(() => {
      clearInterval(watch);
      process.off('exit', stopAtExit);
      return Promise.resolve();
    });
    onReady(server.port);
    return { signal: gone.signal, why: embeddedEnded };
  });
}
