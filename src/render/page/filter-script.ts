/**
 * Filters the findings of a page as the reader types. Without it every finding is shown, and so is the form only with it. It
 * runs in the reader's browser and asks nobody for anything.
 */
export const FILTER_SCRIPT = `
(() => {
  const form = document.querySelector('form.filter');
  const groups = [...document.querySelectorAll('.group')].map((element) => ({
    element,
    code: element.dataset.code,
    severity: element.dataset.severity,
    count: element.querySelector('.count'),
    rows: [...element.querySelectorAll('tbody tr')].map((row) => ({
      row,
      node: (row.dataset.node || '').toLowerCase(),
      isReleasable: 'releasable' in row.dataset,
    })),
  }));
  const total = groups.reduce((sum, group) => sum + group.rows.length, 0);
  const spell = (number) => number.toLocaleString('en-US');
  const textOf = (entry) => (entry.text ??= entry.row.textContent.toLowerCase());
  const apply = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const words = wanted.text.toLowerCase().split(/\\s+/).filter(Boolean);
    const node = wanted.node.trim().toLowerCase();
    let shown = 0;
    for (const group of groups) {
      const fits = (!wanted.code || group.code === wanted.code) && (!wanted.severity || group.severity === wanted.severity);
      let own = 0;
      for (const entry of group.rows) {
        const isShown = fits && (!node || entry.node.includes(node)) && (!wanted.releasable || entry.isReleasable) &&
          words.every((word) => group.code.includes(word) || textOf(entry).includes(word));
        if (entry.row.hidden === isShown) entry.row.hidden = !isShown;
        if (isShown) own++;
      }
      group.element.hidden = own === 0;
      group.count.textContent = own === group.rows.length ? spell(own) : spell(own) + ' of ' + spell(group.rows.length);
      shown += own;
    }
    form.querySelector('output').textContent = spell(shown) + ' of ' + spell(total) + ' findings shown';
  };
  let timer;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(apply, 80);
  });
  form.addEventListener('reset', () => setTimeout(apply));
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  apply();
})();
`;
