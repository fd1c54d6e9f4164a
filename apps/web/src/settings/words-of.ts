/** The words of a text that are separated by commas or white space. */
export const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');
