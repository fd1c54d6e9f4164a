import { GIT_VARIABLES } from './git-settings.js';
import { environmentOf, forbiddenVariable, variableValue } from './shell-environment.js';

const made = (added: Readonly<Record<string, string>> = {}) =>
  environmentOf({ programFolders: ['/usr/bin', '/bin'], added, home: '/home/call', temporary: '/tmp/call' });

describe('the environment of a program', () => {
  it('has the folders of programs, a home and a folder for temporary files of its own call', () => {
    expect(made()).toMatchObject({ PATH: '/usr/bin:/bin', HOME: '/home/call', TMPDIR: '/tmp/call', USER: 'runner' });
  });

  it('has variables of the operator, which never replace those that keep programs from asking (T51)', () => {
    const environment = made({ KUBECONFIG: '/k', PAGER: 'less', PATH: '/evil', TMPDIR: '/x', GIT_PAGER: 'less' });
    expect(environment).toMatchObject({ KUBECONFIG: '/k', PAGER: 'cat', GIT_PAGER: 'cat' });
    expect(environment).toMatchObject({ PATH: '/usr/bin:/bin', TMPDIR: '/tmp/call', EDITOR: 'false' });
  });

  it('has nothing of the runner itself', () => {
    process.env.COUNTERSIGN_OWN = 'secret';
    expect(made()).not.toHaveProperty('COUNTERSIGN_OWN');
    delete process.env.COUNTERSIGN_OWN;
  });
});

describe('a variable that an operator adds', () => {
  it.each([
    ...['PATH', 'PWD', 'IFS', 'ENV', 'BASH_ENV', 'BASH_', 'SHELLOPTS', 'BASHOPTS', 'LD_PRELOAD', 'LD_'],
    ...['NODE_OPTIONS', 'PYTHONSTARTUP', 'PERL5OPT', 'RUBYOPT'],
    ...['PAGER', 'EDITOR', 'GIT_EDITOR', 'GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0'],
    ...['', '1A', 'A-B', 'A B', 'A=B', 'Ä'],
  ])('is never %j', (name) => {
    expect(forbiddenVariable({ KUBECONFIG: '/k', [name]: 'x' })).toBe(name);
  });

  it.each(['KUBECONFIG', 'a', '_A1', 'MY_PATH', 'PATHS', 'XENV', 'OLD_VALUE', 'ENVIRONMENT', 'MY_LD_X'])(
    'may be %s',
    (name) => {
      expect(forbiddenVariable({ [name]: 'x' })).toBeNull();
    },
  );
});

describe('the settings of git (T51)', () => {
  it('are as many as git is told, each with its value', () => {
    const count = Number(GIT_VARIABLES.GIT_CONFIG_COUNT);
    const settings = Array.from({ length: count }, (_, index) => [
      GIT_VARIABLES[`GIT_CONFIG_KEY_${String(index)}`],
      GIT_VARIABLES[`GIT_CONFIG_VALUE_${String(index)}`],
    ]);
    expect(settings).toContainEqual(['core.hooksPath', '/dev/null']);
    expect(settings).toContainEqual(['core.fsmonitor', 'false']);
    expect(settings).toContainEqual(['protocol.ext.allow', 'never']);
    expect(settings.flat()).not.toContain(undefined);
    expect(GIT_VARIABLES).not.toHaveProperty(`GIT_CONFIG_KEY_${String(count)}`);
  });
});

describe('the value of a variable in a word', () => {
  const state = { folder: '/work/a', status: 3 };

  it('is the status of the command before, the current folder, or that of the environment', () => {
    expect(variableValue('?', {}, state)).toBe('3');
    expect(variableValue('PWD', { PWD: '/other' }, state)).toBe('/work/a');
    expect(variableValue('HOME', { HOME: '/home/call' }, state)).toBe('/home/call');
    expect(variableValue('HOME', {}, state)).toBe('');
  });
});
