import type { ReactNode } from 'react';

interface DataTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** The columns of numbers, whose digits stand below each other. */
  readonly numbers?: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/** A table that scrolls sideways by itself if it is wider than its box; the first column names the row. */
export function DataTable({ label, columns, numbers = [], rows }: DataTableProps) {
  const alignOf = (column: string | undefined): string =>
    column !== undefined && numbers.includes(column) ? 'text-right' : '';
  return (
    <div tabIndex={0} role="group" aria-label={label} className="relative overflow-x-auto wrap-normal">
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-b border-line text-muted">
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={`px-3 py-2 font-medium first:pl-4 last:pr-4 whitespace-nowrap ${alignOf(column)}`}
              >
                {column === '' ? <span className="sr-only">What can be done</span> : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="border-b border-line align-top last:border-0">
              {cells.map((cell, index) =>
                index === 0 ? (
                  <th key={columns[index]} scope="row" className="px-3 py-2.5 pl-4 font-medium">
                    <div className="max-w-64 wrap-break-word">{cell}</div>
                  </th>
                ) : (
                  <td key={columns[index]} className={`px-3 py-2.5 last:pr-4 ${alignOf(columns[index])}`}>
                    <div className={`max-w-80 wrap-break-word ${alignOf(columns[index]) === '' ? '' : 'ml-auto'}`}>
                      {cell}
                    </div>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
