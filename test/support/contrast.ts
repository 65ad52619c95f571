/**
 * Runs in a browser, as text: texts whose colour differs too little from what lies behind them (WCAG 2.2, 1.4.3 level AA),
 * each with its ratio. Only elements with a text of their own count.
 */
export const LOW_CONTRAST = `(() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const over = (top, below) => {
    const alpha = top[3] ?? 1;
    return [0, 1, 2].map((i) => top[i] * alpha + below[i] * (1 - alpha));
  };
  const background = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, top) => (top.length < 3 ? below : over(top, below)), [255, 255, 255]);
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = new Set();
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility() || ['SCRIPT', 'OPTION', 'svg', 'title', 'rect'].includes(element.tagName)) continue;
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue;
    const behind = background(element);
    const front = over(parse(getComputedStyle(element).color), behind);
    const [light, dark] = [luminance(front), luminance(behind)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5) found.add(element.tagName + '.' + element.className + ' ' + ratio.toFixed(2));
  }
  return [...found];
})()`;
