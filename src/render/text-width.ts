const NARROW = /^[\u0020-\u007e]*$/;
/** Made on first use: compiling it takes longer than drawing a table. */
let emoji: RegExp | undefined;

/** First and last code points of the stretches that take two columns. Source: Unicode EastAsianWidth.txt, classes W and F. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3040, 0x3247],
  [0x3250, 0x4dbf],
  [0x4e00, 0xa4c6],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b001],
  [0x1f200, 0x1f251],
  [0x20000, 0x3fffd],
];

/**
 * Terminal columns of a text without control characters and colours (see `printable`).
 * @remarks It counts as cli-table3 does, so that both table renderers pad alike.
 */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const character of text.replace((emoji ??= /\p{RGI_Emoji}/gv), '  '))
    width += widthOf(character.codePointAt(0) ?? 0);
  return width;
}

function widthOf(code: number): 0 | 1 | 2 {
  if (code >= 0x300 && code <= 0x36f) return 0;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
