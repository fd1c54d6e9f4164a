import type { Tx } from '#lib/kernel';

class Undone extends Error {}

/** Does the work, and undoes it again. The next statement reports a refusal of a statement sent ahead. */
export async function undone(tx: Tx, work: Promise<unknown>): Promise<never> {
  await work;
  await tx.now();
  throw new Undone();
}

/** The code of the refusal; `accepted` if the work was done, or done and undone again. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'accepted';
  } catch (error) {
    if (error instanceof Undone) return 'accepted';
    const { code, failure } = error as { readonly code?: string; readonly failure?: { readonly code: string } };
    return code ?? failure?.code ?? String(error);
  }
}
