import { plan, refused, restartStep } from './fake-expansion.js';
import { maskRefusedSecrets } from './mask-refused-secrets.js';

describe('T32: a plan that is refused for a literal secret', () => {
  it('is kept as it is if it was refused for something else', () => {
    const document = plan({ steps: [{ ...restartStep, arguments: { list: [1, null], deep: { a: ['b'] } } }] });
    const error = { pointer: '/phases/0/steps/0/arguments', message: 'm' };
    expect(maskRefusedSecrets(document, [{ ...error, code: 'plan.other' }])).toBe(document);
    const masked = maskRefusedSecrets(document, [
      { ...error, code: 'plan.other' },
      { message: 'm', code: 'tool.literal_secret', pointer: '/phases/0/steps/0/arguments/deep/a/0' },
    ]);
    expect(masked.phases[0]?.steps[0]?.arguments).toEqual({ list: [1, null], deep: { a: ['[masked]'] } });
  });

  it('is kept with the secret masked', () => {
    const document = plan({ steps: [{ ...restartStep, arguments: { ...restartStep.arguments, token: 'hunter2' } }] });
    const kept = maskRefusedSecrets(document, refused(document));
    expect(JSON.stringify(kept)).not.toContain('hunter2');
    expect(kept.phases[0]?.steps[0]?.arguments).toEqual({ ...restartStep.arguments, token: '[masked]' });
  });
});
