/** Colours by what they mean; a view never names a colour. */
export const TONES = ['problem', 'warning', 'note', 'ok', 'muted', 'heading'] as const;

/** One of {@link TONES}. */
export type Tone = (typeof TONES)[number];

/** Paints a text that is already safe to print; the text stays as wide as it was. */
export type Theme = Readonly<Record<Tone, (text: string) => string>>;

const same = (text: string): string => text;

/** No colours: for files, pipes and tests. */
export const PLAIN_THEME: Theme = {
  problem: same,
  warning: same,
  note: same,
  ok: same,
  muted: same,
  heading: same,
};

/**
 * The plain theme, or one that paints with the sixteen colours that every terminal knows; warnings in magenta, since yellow
 * cannot be read on white. Loads chalk only when it paints.
 */
export async function loadTheme(hasColor: boolean): Promise<Theme> {
  if (!hasColor) return PLAIN_THEME;
  const { Chalk } = await import('chalk');
  // The level is fixed: whether to paint was decided by the caller, who knows the stream; chalk would look at stdout.
  const chalk = new Chalk({ level: 1 });
  // chalk joins all its arguments; a painter must be fit for `map`, which passes more than the text.
  return {
    problem: (text) => chalk.red(text),
    warning: (text) => chalk.magenta(text),
    note: (text) => chalk.cyan(text),
    ok: (text) => chalk.green(text),
    muted: (text) => chalk.dim(text),
    heading: (text) => chalk.bold(text),
  };
}
