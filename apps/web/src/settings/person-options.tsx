import { visibleText } from '#lib/words';
import { useDirectory } from '../api/directory.js';

/** The options of a select of people. @param except the person who is not offered. */
export function PersonOptions({ except }: { readonly except?: string }) {
  const { people } = useDirectory();
  return (
    <>
      <option value="">Choose a person</option>
      {[...people]
        .filter(([id]) => id !== except)
        .map(([id, name]) => (
          <option key={id} value={id}>
            {visibleText(name)}
          </option>
        ))}
    </>
  );
}
