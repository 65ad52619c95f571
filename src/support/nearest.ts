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

/** Letters to insert, drop or replace to get from one text to the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 0; i < from.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (previous[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[to.length] ?? 0;
}
