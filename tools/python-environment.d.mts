/** The path of a Python with the packages that test the Python client, or null with the reason why there is none. */
export declare function findPython(): { readonly path: string } | { readonly path: null; readonly reason: string };
