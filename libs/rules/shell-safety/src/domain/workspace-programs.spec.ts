import { classifyCommand } from './classify-command.js';

describe('a program that executes files of the workspace under every word', () => {
  it.each([
    ...[
      'validate',
      '-chdir=x validate',
      'plan',
      'providers',
      'providers schema -json',
      'graph',
      'show',
      'state show a.b',
    ].flatMap((words) => [`terraform ${words}`, `tofu ${words}`]),
    ...['tofu state list', 'tofu workspace list'],
    ...[
      'cargo --version',
      'cargo -V',
      'cargo locate-project',
      'rustc --version',
      'rustc -vV',
      'rustfmt --version',
      'rustup --version',
    ],
    ...['go version', 'go env GOPATH', 'dotnet --version', 'dotnet --info'],
    ...[
      'mvn --version',
      'gradle -v',
      './gradlew --version',
      'bazel version',
      'bundle --version',
      'composer --version',
      'poetry --version',
    ],
    ...['turbo --version', 'nx --version', 'jest --version', 'pytest --version', 'tox --version'],
  ])('%s is no read', (line) => {
    const { tier, class: shellClass } = classifyCommand(line, 'bash');
    expect(tier).toBe(2);
    expect(['UNKNOWN', 'BUILD_TEST']).toContain(shellClass);
  });

  it.each([
    'terraform version',
    'tofu version -json',
    'terraform fmt -check',
    'python3 -V',
    'node --version',
    'npm --version',
    'gcc --version',
    'gofmt -l src',
  ])('%s is one', (line) => {
    expect(classifyCommand(line, 'bash').tier).toBe(1);
  });
});
