import { useState } from 'react';
import { Button } from '../components/button.js';

/** Rows of a table before a reader asks for all. */
export const FIRST = 8;

/** The first rows of a long list, and a button for the rest. */
export function useFirst<Row>(rows: readonly Row[]) {
  const [all, setAll] = useState(false);
  const rest = rows.length - FIRST;
  return {
    shown: all ? rows : rows.slice(0, FIRST),
    more: rest > 0 && !all && (
      <p className="px-4 py-2">
        <Button
          size="sm"
          onClick={() => {
            setAll(true);
          }}
        >
          Show {rest} more
        </Button>
      </p>
    ),
  };
}
