import { sampleLine } from '../application/fake-tool-call.js';
import { needsWayBack, withNoWayBack } from './no-way-back.js';

describe('the way back from a call', () => {
  it('is needed for a line that may change something', () => {
    expect(needsWayBack({ shell: sampleLine('rm build/a') })).toBe(true);
    expect(needsWayBack({ shell: sampleLine('ls -l') })).toBe(false);
    expect(needsWayBack({ shell: null })).toBe(false);
  });

  it('is told first if it is missing, in words without secrets or hidden characters', () => {
    expect(withNoWayBack('It changes a.', null)).toBe('It changes a.');
    expect(withNoWayBack('It changes a.', 'there are more than 7 bytes')).toBe(
      'No way back (there are more than 7 bytes). It changes a.',
    );
    const told = withNoWayBack('It.', `password=hunter2 \u202e ${'x'.repeat(300)}`);
    expect(told).not.toContain('hunter2');
    expect(told).not.toContain('\u202e');
    expect(told).toMatch(/…\). It\.$/);
  });

  it('is told in 200 characters at most', () => {
    expect(withNoWayBack('It.', 'x'.repeat(200))).toBe(`No way back (${'x'.repeat(200)}). It.`);
    expect(withNoWayBack('It.', 'x'.repeat(201))).toBe(`No way back (${'x'.repeat(199)}…). It.`);
  });
});
