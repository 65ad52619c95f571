import { assertNever } from '../support/assert-never.ts';
import { calledAs, documentCalledAs, PROGRAM } from './called-as.ts';
import type { Format } from './format.ts';
import { toJson } from './json.ts';
import { loadTableRenderer } from './table.ts';
import { loadTheme } from './theme.ts';
import type { Surface, View } from './view.ts';
import { type Connection, connectedBy } from './views/source.ts';
import { toYaml } from './yaml.ts';

/** Where and how a document is printed. */
export interface RenderOptions {
  readonly format: Format;
  /** Terminal columns; infinite where nothing limits a line. */
  readonly width: number;
  readonly hasColor: boolean;
  /** How the user types the name of the program; `ipamctl` if absent. Machines get its own name. */
  readonly program?: string | undefined;
  /** How the user has connected, for commands to copy. */
  readonly connection?: Connection | undefined;
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
  program = PROGRAM,
}: Omit<RenderOptions, 'format'>): Promise<Surface> {
  const theme = await loadTheme(hasColor);
  return { width, theme, table: await loadTableRenderer(width, theme), program };
}

async function renderBody<D>(document: D, view: View<D>, options: RenderOptions): Promise<string> {
  switch (options.format) {
    case 'json':
      return toJson(document);
    case 'yaml':
      return toYaml(document);
    case 'html':
      if (view.html) return pageOf(document, view.html, options);
      return textOf(document, view, options);
    case 'text':
      return textOf(document, view, options);
    default:
      return assertNever(options.format);
  }
}

async function textOf<D>(document: D, view: View<D>, options: RenderOptions): Promise<string> {
  const surface = await openSurface(options);
  const connected = connectedBy(document, options.connection);
  return view.text(documentCalledAs(connected, surface.program), surface);
}

function pageOf<D>(
  document: D,
  html: (document: D) => string,
  { connection, program = PROGRAM }: RenderOptions,
): string {
  return calledAs(html(connectedBy(document, connection)), program);
}
