import { assertNever } from '../support/assert-never.ts';
import type { Format } from './format.ts';
import { toJson } from './json.ts';
import { loadTableRenderer } from './table.ts';
import { loadTheme } from './theme.ts';
import type { Surface, View } from './view.ts';
import { toYaml } from './yaml.ts';

/** Where and how a document is printed. */
export interface RenderOptions {
  readonly format: Format;
  /** Terminal columns; infinite where nothing limits a line. */
  readonly width: number;
  readonly hasColor: boolean;
}

/** A document in the format asked for; always ends in one newline. A view without a page shows its text under `html`. */
export async function render<D>(
  document: D,
  view: View<D>,
  options: RenderOptions,
): Promise<string> {
  const text = await renderBody(document, view, options);
  return `${text.replace(/\n+$/, '')}\n`;
}

/** A surface to draw text on. */
export async function openSurface({
  width,
  hasColor,
}: Omit<RenderOptions, 'format'>): Promise<Surface> {
  const theme = await loadTheme(hasColor);
  return { width, theme, table: await loadTableRenderer(width, theme) };
}

async function renderBody<D>(document: D, view: View<D>, options: RenderOptions): Promise<string> {
  switch (options.format) {
    case 'json':
      return toJson(document);
    case 'yaml':
      return toYaml(document);
    case 'html':
      if (view.html) return view.html(document);
      return view.text(document, await openSurface(options));
    case 'text':
      return view.text(document, await openSurface(options));
    default:
      return assertNever(options.format);
  }
}
