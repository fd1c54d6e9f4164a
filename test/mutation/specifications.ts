import fc from 'fast-check';

/** The paths of a library's tests. The runner sets them. */
declare const COUNTERSIGN_SPECIFICATIONS: readonly string[];

// The first counterexample kills a mutant: a smaller one tells nothing more.
fc.configureGlobal({ endOnFailure: true });

for (const path of COUNTERSIGN_SPECIFICATIONS) describe(path, () => void jest.requireActual(path));
