import { callCategory } from './call-category.js';

const MATRIX = {
  asset: ['read', 'terminal-write', 'terminal-write'],
  workspace: ['read', 'workspace-write', 'workspace-write'],
  git: ['git-read', 'git-write', 'git-write'],
  terminal: ['terminal-read', 'terminal-write', 'terminal-write'],
  network: ['network', 'network', 'terminal-write'],
  audio: ['audio-input', 'audio-output', 'terminal-write'],
} as const;
const EFFECTS = ['read', 'modify', 'destructive'] as const;
type Surface = keyof typeof MATRIX;

const cells = (Object.keys(MATRIX) as Surface[]).flatMap((surface) =>
  EFFECTS.map((effect, index) => [surface, effect, MATRIX[surface][index]] as const),
);

it.each(cells)('on the surface %s, with the effect %s: %s', (surface, effect, category) => {
  expect(callCategory({ surface, effect, risk: 'read_only' }, null)).toBe(category);
});

it.each(['state_change_nonprod', 'state_change_prod'] as const)(
  'takes a %s for a write, even if the tool declares that it reads',
  (risk) => {
    expect(callCategory({ surface: 'workspace', effect: 'read', risk }, null)).toBe('workspace-write');
  },
);

it.each([
  ['READ_ONLY', 'terminal-read'],
  ['NETWORK', 'network'],
  ['BUILD_TEST', 'terminal-write'],
  ['DESTRUCTIVE', 'terminal-write'],
  ['UNKNOWN', 'terminal-write'],
] as const)('of a command line of class %s: %s', (shellClass, category) => {
  const tool = { surface: 'terminal', effect: 'modify', risk: 'state_change_nonprod' } as const;
  expect(callCategory(tool, { class: shellClass })).toBe(category);
});
