import type { ExplanationDocument } from '../../operations/documents/explanation-document.ts';
import { escapeHtml, htmlPage, htmlParagraph } from '../html.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';
import { SEVERITIES } from './check-groups.ts';

/** `ipam check --explain`: what a rule means and what to do when it fires. */
export const explainView: View<ExplanationDocument> = { text: explainText, html: explainPage };

function explainText(document: ExplanationDocument, { width, theme }: Surface): string {
  const tone = SEVERITIES.find((entry) => entry.severity === document.severity)?.tone ?? 'note';
  return [
    `${theme[tone](theme.heading(document.code))} (${document.severity})`,
    ...wrapText(document.title, { width }),
    '',
    ...wrapText(document.why, { width, first: 'Why:    ' }),
    ...wrapText(document.remedy, { width, first: 'Remedy: ' }),
    ...wrapText(document.needs.join(', '), { width, first: 'Reads:  ' }),
  ].join('\n');
}

function explainPage(document: ExplanationDocument): string {
  return htmlPage(document.code, [
    htmlParagraph(`${document.title} (${document.severity})`),
    `<p><strong>Why:</strong> ${escapeHtml(document.why)}</p>`,
    `<p><strong>Remedy:</strong> ${escapeHtml(document.remedy)}</p>`,
    htmlParagraph(`Reads: ${document.needs.join(', ')}`),
  ]);
}
