/** The words of a text that are parted by commas or white space. */
export const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '');
