import { api } from '../api/client.js';
import type { CheckDocument, CheckState } from '../components/yaml-editor.js';

/** How the text of lifecycle hooks stands. */
export type Checked =
  | CheckState
  | { readonly state: 'unchanged' }
  | {
      readonly state: 'valid';
      /** The text that was checked. */
      readonly text: string;
      /** The commands that would wait for a second person, in words. */
      readonly loosens: readonly string[];
    };

/** Asks the API about a draft of lifecycle hooks, for the editor. */
export const checkHooks =
  (tell: (checked: Checked) => void): CheckDocument =>
  async (text) => {
    const { loosens } = await api.post('/v1/lifecycle-hooks/validate', { body: { source: text } });
    return {
      remarks: [],
      tell: () => {
        tell({ state: 'valid', text, loosens });
      },
    };
  };
