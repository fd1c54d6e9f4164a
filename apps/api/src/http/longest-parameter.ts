/** How many characters a part of a path may have; what is longer is no name and no id. */
export const LONGEST_PARAMETER = 200;
