import { escapeHtml } from '../html.ts';
import { groupDigits } from '../numbers.ts';

/** Links to the headings of a page that have an id. */
export function pageLinks(sections: readonly string[]): string {
  const links = sections.flatMap((section) => {
    const heading = /^<h2 id="([a-z-]+)">([^<]+)<\/h2>/.exec(section);
    return heading ? [`<a href="#${heading[1] ?? ''}">${heading[2] ?? ''}</a>`] : [];
  });
  return links.length < 2 ? '' : `<nav aria-label="Sections">${links.join('')}</nav>`;
}

/** Counts that stand at the top, each with what it counts. */
export function tiles(counts: readonly (readonly [string, number])[]): string {
  const items = counts.map(
    ([what, count]) => `<li><b>${groupDigits(count)}</b>${escapeHtml(what)}</li>`,
  );
  return `<ul class="tiles">${items.join('')}</ul>`;
}
