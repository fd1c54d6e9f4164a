/**
 * The path of a Python with the packages of a requirements file. Null with the reason if there is none.
 *
 * @param file its path in this package; without it, the packages that test the Python client.
 */
export declare function findPython(
  file?: string,
): { readonly path: string } | { readonly path: null; readonly reason: string };
