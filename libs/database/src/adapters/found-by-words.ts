import { searchTerms } from '#lib/kernel';

/**
 * The conditions under which a row is found by what somebody typed, one a term: table search_word holds the words.
 * Where they hold no term, there is none.
 *
 * @param row its table, the column of its task, and the columns of the things by whose words it is found; without those,
 *   by every word of its task.
 * @param parameter takes a value and answers with its place in the statement.
 */
export function foundByWords(
  text: string,
  row: { readonly table: string; readonly task: string; readonly subjects: readonly string[] | null },
  parameter: (value: string) => string,
): readonly string[] {
  const subjects = row.subjects === null ? '' : `and found.subject_id in (${row.subjects.join(', ')})`;
  return searchTerms(text).map(
    ({ from, to }) => `exists (select from search_word found where found.tenant_id = ${row.table}.tenant_id
      and found.task_id = ${row.task} ${subjects}
      and found.word >= ${parameter(from)} and found.word <= ${parameter(to)})`,
  );
}
