import type { ConfigurationDocument } from '../../operations/documents/configuration-document.ts';
import { htmlPage, htmlParagraph, htmlTable } from '../html.ts';
import type { TableSpec } from '../table-spec.ts';
import type { Surface, View } from '../view.ts';
import { wrapText } from '../wrap.ts';

const DEFAULTS = 'No configuration is stored; these are the values that hold without one.';

/** `ipam show --show-configuration`. */
export const configurationView: View<ConfigurationDocument> = {
  text: configurationText,
  html: configurationPage,
};

function configurationText(
  document: ConfigurationDocument,
  { table, theme, width }: Surface,
): string {
  const text = table(configurationTable(document));
  return document.stored
    ? text
    : [text, ...wrapText(DEFAULTS, { width }).map(theme.muted)].join('\n');
}

/** Names as in calicoctl's table. */
function configurationTable({ configuration }: ConfigurationDocument): TableSpec {
  return {
    columns: [{ header: 'PROPERTY' }, { header: 'VALUE' }],
    rows: [
      ['StrictAffinity', String(configuration.strictAffinity)],
      ['AutoAllocateBlocks', String(configuration.autoAllocateBlocks)],
      ['MaxBlocksPerHost', String(configuration.maxBlocksPerHost)],
      ['KubeVirtVMAddressPersistence', configuration.kubeVirtVMAddressPersistence],
      ['IPCooldownSeconds', String(configuration.ipCooldownSeconds)],
    ],
  };
}

function configurationPage(document: ConfigurationDocument): string {
  return htmlPage('IPAM configuration', [
    ...(document.stored ? [] : [htmlParagraph(DEFAULTS)]),
    htmlTable(configurationTable(document)),
  ]);
}
