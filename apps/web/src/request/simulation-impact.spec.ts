import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { SimulationImpact } from './simulation-impact.js';

it('names the hidden characters in the words of a tool server', () => {
  const shown = renderToStaticMarkup(
    createElement(SimulationImpact, {
      result: {
        affected_assets: 1,
        estimated_duration_minutes: 1,
        predicted_risk: 'low',
        health_check_points: ['error rate \u202Eevorppa'],
        details: { calls: [], wait_minutes: 0 },
      },
    }),
  );
  expect(shown).toContain('>U+202E</span>');
  expect(shown).not.toContain('\u202E');
});
