/** The generated modules of the Python client, by their paths in the repository, with their texts. */
export declare function pythonClient(document: object): Readonly<Record<string, string>>;
