import { stepPositions } from './step-positions.js';

const BLOCK = `name: restart-web # id: restart
steps:
  - id: look
    type: tool_action
    arguments: { id: restart }
  - { id: "restart", type: tool_action }
`;

describe('the positions of steps', () => {
  it('are those of their own ids, in block and flow style', () => {
    expect([...stepPositions(BLOCK)]).toEqual([
      ['look', { line: 3, column: 9 }],
      ['restart', { line: 6, column: 11 }],
    ]);
  });

  it.each(['', 'steps:', 'steps: 7', 'steps:\n  - ', '- id: x'])('are empty for %j', (text) => {
    expect(stepPositions(text).size).toBe(0);
  });

  it('are there while the text is unfinished', () => {
    expect(stepPositions('steps:\n  - id: look\n    type: tool_act\n  - id: tell\n    ty').get('tell')).toEqual({
      line: 4,
      column: 9,
    });
  });
});
