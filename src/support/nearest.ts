/**
 * Known words that somebody may have meant who wrote `text`: those that differ by few letters, and those that share a
 * longer part. The nearest first, at most three.
 */
export function nearestOf(text: string, known: readonly string[]): string[] {
  const wanted = text.toLowerCase();
  const parts = wanted.split(/[^a-z0-9]+/).filter((part) => part.length > 3);
  return known
    .map((word) => {
      // A plural shares its part too.
      const shared = parts.filter((part) => word.includes(part.replace(/s$/, ''))).length;
      return { word, shared, distance: editDistance(wanted, word) };
    })
    .filter(({ word, shared, distance }) => shared > 0 || distance <= Math.max(1, word.length / 3))
    .sort((a, b) => a.distance - 4 * a.shared - (b.distance - 4 * b.shared))
    .slice(0, 3)
    .map(({ word }) => word);
}

/** Letters to insert, drop, replace or swap with their neighbour to get from one text to the other. */
function editDistance(from: string, to: string): number {
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 0; i < from.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = at(previous, j) + (from[i] === to[j] ? 0 : 1);
      const isSwapped = i > 0 && j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j];
      const swapped = isSwapped ? at(before, j - 1) + 1 : replaced;
      row.push(Math.min(replaced, swapped, at(previous, j + 1) + 1, at(row, j) + 1));
    }
    before = previous;
    previous = row;
  }
  return at(previous, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
