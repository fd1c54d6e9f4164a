import type { ReactNode } from 'react';

interface DataTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/** A table that scrolls sideways by itself if it is wider than its box; the first column names the row. */
export function DataTable({ label, columns, rows }: DataTableProps) {
  return (
    <div tabIndex={0} role="group" aria-label={label} className="relative overflow-x-auto wrap-normal">
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-b border-line text-muted">
            {columns.map((column) => (
              <th key={column} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">
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
                  <th key={columns[index]} scope="row" className="px-4 py-2.5 font-medium">
                    <div className="max-w-64 wrap-break-word">{cell}</div>
                  </th>
                ) : (
                  <td key={columns[index]} className="px-4 py-2.5">
                    <div className="max-w-80 wrap-break-word">{cell}</div>
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
