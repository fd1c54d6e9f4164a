import { keyPathAt } from './key-path.js';

describe('the path of a key in a document', () => {
  it.each([
    ['', [], null],
    ['autonomy:\n  mo', ['autonomy'], null],
    ['autonomy:\n  mode: pl', ['autonomy'], 'mode'],
    [
      'autonomy:\n  environments:\n    production:\n      mode: full_auto\n      allo',
      ['autonomy', 'environments', 'production'],
      null,
    ],
    [
      'autonomy:\n  environments:\n    production:\n      mode: x\n    staging:\n      require_mfa: t',
      ['autonomy', 'environments', 'staging'],
      'require_mfa',
    ],
    ['autonomy:\n  mode: plan_only\nemergency_override:\n  en', ['emergency_override'], null],
    ['autonomy:\n  # a comment: no key\n  mode: plan_only\n  re', ['autonomy'], null],
    ['autonomy:\n  "quoted":\n    mo', ['autonomy', 'quoted'], null],
    ['triggers:\n  - type: cr', ['triggers'], 'type'],
    ['name: x\nsteps:\n  - id: look\n    arguments: { a: 1 }\n  - id: tell\n    ty', ['steps'], null],
    ['steps:\n- id: look\n  arguments:\n    targets: [a]\n  ', ['steps'], null],
    ['steps:\n- id: look\n  arguments:\n    ta', ['steps', 'arguments'], null],
    ['steps:\n  - id: look\n  - ', ['steps'], null],
    ['steps:\n  - id: look\nno', [], null],
  ])('reads %j', (text, path, key) => {
    expect(keyPathAt(text.split('\n'))).toEqual({ path, key });
  });
});
