/** Forms in which a document can be printed. */
export const FORMATS = ['text', 'json', 'yaml', 'html'] as const;

/** One of {@link FORMATS}. */
export type Format = (typeof FORMATS)[number];
