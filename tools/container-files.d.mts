/** One stage of a Dockerfile. */
export interface Stage {
  readonly name: string;
  readonly image: string;
  readonly instructions: readonly { readonly name: string; readonly text: string }[];
}

export function dockerfileStages(text: string): Stage[];
export function copyOperands(text: string): {
  readonly from: string | null;
  readonly sources: readonly string[];
  readonly target: string;
};
export function ignoredBy(text: string): (path: string) => boolean;
export function contextFiles(root: string, isIgnored: (path: string) => boolean): string[];
export function copyInto(source: string, target: string): void;
