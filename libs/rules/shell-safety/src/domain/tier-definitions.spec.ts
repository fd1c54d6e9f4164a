import { classifyCommand } from './classify-command.js';
import type { Tier } from './verdict.js';

const tierOf = (line: string): Tier => classifyCommand(line).tier;

/** The tables and lists of ADR-007, row by row. */
describe('the tier definitions', () => {
  it.each([
    'kubectl get',
    'kubectl describe',
    'kubectl logs',
    'kubectl get pods',
    'kubectl get pods -n custom-namespace',
    'kubectl describe pod nginx',
    'kubectl logs nginx',
    'cat file',
    'grep nginx file',
    'ls',
    'pvecm status',
    'qm status',
    'qm status 100',
  ])('Tier 1, read-only, no side effects, auto-execute: %s', (line) => {
    expect(classifyCommand(line)).toMatchObject({ tier: 1, class: 'READ_ONLY' });
  });

  it.each([
    ...['kubectl apply', 'kubectl delete', 'kubectl scale', 'chmod', 'systemctl restart', 'ssh', 'chown'],
    'kubectl run --dry-run=client',
    'kubectl apply -f x.yaml',
    'kubectl delete pod nginx',
    'kubectl scale deployment x --replicas=2',
    'chmod 644 file',
    'systemctl restart nginx',
    'ssh host ls',
    'chown root file',
    'kubectl run x --image=y --dry-run=client',
  ])('Tier 2, mutating, potentially disruptive, user approval required: %s', (line) => {
    expect(tierOf(line)).toBe(2);
  });

  it.each([
    'rm -rf',
    'rm -rf x',
    'rm -fr x',
    'rm -r -f x',
    'rm --recursive --force x',
    'rm --rec --fo x',
    'shutdown',
    'shutdown -h now',
    'reboot',
    'mkfs',
    'mkfs /dev/sda1',
    'mkfs.ext4 /dev/sda1',
    'dd if=/dev/zero',
    'dd if=/dev/zero of=/dev/sda',
    'dd if=/dev/zero of=x',
    // People write it like this; bash takes it with blanks alone.
    ':(){:|:&};:',
    ':(){ :|:& };:',
    'f() { f | f & }; f',
    'a() { b & }; b() { a & }; a',
  ])('Tier 3, destructive, unrecoverable, always deny: %s', (line) => {
    expect(tierOf(line)).toBe(3);
  });
});

describe('the classification rules', () => {
  it.each([
    ['Single command: kubectl get is Tier 1', 'kubectl get pods', 1],
    ['Single command: kubectl apply is Tier 2', 'kubectl apply -f x', 2],
    ['Single command: rm -rf is Tier 3', 'rm -rf x', 3],
    ['Piped commands: highest tier wins, Tier 1 and Tier 1', 'kubectl get pods | grep nginx', 1],
    ['Piped commands: highest tier wins, Tier 1 and Tier 2', 'cat /etc/passwd | tee /tmp/backup', 2],
    ['Command chains: highest tier wins, Tier 1 and Tier 1', 'ls && cat file', 1],
    ['Command chains: highest tier wins, Tier 2 and Tier 1', 'kubectl delete pod nginx && kubectl get pods', 2],
    ['Command chains: ||', 'ls || kubectl delete pod nginx', 2],
    ['Command chains: ;', 'ls; kubectl delete pod nginx', 2],
    ['Command substitution: escalate Tier 1 to Tier 2', 'kubectl get pods $(cat namespace.txt)', 2],
    ['Command substitution: with backticks', 'echo `cat namespace.txt`', 2],
    ['Command substitution: in double quotes', 'echo "$(cat namespace.txt)"', 2],
    ['Any Tier 3 in chain: the entire command is Tier 3', 'ls && rm -rf /', 3],
    ['Any Tier 3 in a substitution', 'echo $(rm -rf /)', 3],
    ['Unknown commands default to Tier 2', 'frobnicate', 2],
  ] as const)('%s', (_sentence, line, tier) => {
    expect(tierOf(line)).toBe(tier);
  });

  it('keeps the class READ_ONLY, if only a substitution lifts the tier', () => {
    expect(classifyCommand('echo $(date)')).toMatchObject({ tier: 2, class: 'READ_ONLY' });
  });

  it('closes the named gap: cat /etc/shadow is read-only, and Tier 2', () => {
    expect(classifyCommand('cat /etc/shadow')).toMatchObject({ tier: 2, class: 'READ_ONLY' });
  });

  it('is deterministic', () => {
    const line = 'for f in $(ls); do rm "$f" | tee x; done';
    expect(classifyCommand(line)).toEqual(classifyCommand(line));
  });

  it('shows the reasons of the tier, each at its place', () => {
    const line = 'ls && kubectl delete pod nginx';
    const [ls, kubectl] = classifyCommand(line).parts;
    expect(ls).toMatchObject({ program: 'ls', tier: 1, start: 0, end: 2 });
    expect(kubectl).toMatchObject({ program: 'kubectl', tier: 2, start: 6, end: line.length });
    expect(kubectl?.reasons[0]).toMatchObject({ code: 'shell.destructive', start: 6 });
    expect(kubectl?.reasons[0]?.message).toMatch(/^kubectl delete \S.*\.$/);
  });
});
