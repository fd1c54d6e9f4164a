import type { BlockedStepsView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import type { CheckDocument, CheckState } from '../components/yaml-editor.js';

/** How the text of an automation stands. */
export type Checked =
  | CheckState
  | { readonly state: 'unchanged' }
  | {
      readonly state: 'valid';
      /** The text that was checked. */
      readonly text: string;
      readonly blocked: BlockedStepsView['blocked'];
    };

/** Asks the API about a draft, for the editor: it marks each step that would be blocked. */
export const checkAutomation =
  (tell: (checked: Checked) => void): CheckDocument =>
  async (text) => {
    const { blocked } = await api.post('/v1/automations/validate', { body: { source: text } });
    // Its parser is that of the editor: a page that only shows an automation loads neither.
    const { stepPositions } = await import('./step-positions.js');
    const positions = stepPositions(text);
    return {
      remarks: blocked.map(({ step, code, message }) => ({
        ...{ pointer: `step ${step}`, code, message: `The step ${step} would be blocked: ${message}.` },
        ...{ severity: 'blocked', ...positions.get(step) },
      })),
      tell: () => {
        tell({ state: 'valid', text, blocked });
      },
    };
  };
