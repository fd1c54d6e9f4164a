import type { TextPiece } from '#lib/words';

/** Pieces of a text: visible characters as they stand, and invisible or misleading ones by name. */
export function MarkedPieces({ pieces }: { readonly pieces: readonly TextPiece[] }) {
  return pieces.map((piece, index) =>
    piece.hidden ? (
      <span
        key={index}
        title="A character that would not be seen for what it is"
        className="mx-0.5 rounded bg-bad-soft px-1 font-mono text-xs text-bad"
      >
        {piece.text}
      </span>
    ) : (
      <bdi key={index}>{piece.text}</bdi>
    ),
  );
}
