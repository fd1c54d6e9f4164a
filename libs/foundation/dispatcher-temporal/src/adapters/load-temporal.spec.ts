import { readFileSync } from 'node:fs';
import { loadTemporal, TEMPORAL_VERSION } from './load-temporal.js';

const missing = (code: string) => () => Promise.reject(Object.assign(new Error('Cannot find it'), { code }));

describe('the loader of Temporal', () => {
  it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'])('says what to install if Node answers %s', async (code) => {
    await expect(loadTemporal(missing(code))).rejects.toMatchObject({
      failure: {
        code: 'dispatcher.temporal_missing',
        action: expect.stringContaining(
          'npm install --no-save --save-peer @temporalio/client@1.24.0 @temporalio/worker@1.24.0 @temporalio/workflow@1.24.0 @temporalio/activity@1.24.0',
        ),
      },
    });
  });

  it('says nothing of installing if a package that is there fails', async () => {
    await expect(loadTemporal(missing('ERR_DLOPEN_FAILED'))).rejects.toThrow('Cannot find it');
  });

  it('loads three packages; the fourth is for the workflow', async () => {
    const names: string[] = [];
    await loadTemporal((name) => Promise.resolve(names.push(name)));
    expect(names).toEqual(['@temporalio/worker', '@temporalio/client', '@temporalio/activity']);
  });

  it('names the version that package.json allows, and no package is installed for everybody', () => {
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
      string,
      Record<string, unknown>
    >;
    const names = ['activity', 'client', 'worker', 'workflow'].map((name) => `@temporalio/${name}`);
    expect(peerDependencies).toEqual(Object.fromEntries(names.map((name) => [name, TEMPORAL_VERSION])));
    expect(peerDependenciesMeta).toEqual(Object.fromEntries(names.map((name) => [name, { optional: true }])));
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: object };
    expect(Object.keys(packages).filter((path) => path.startsWith('node_modules/@temporalio'))).toEqual([]);
  });
});
