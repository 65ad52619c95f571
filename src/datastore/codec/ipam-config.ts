import type { IpamConfigRow } from '../../ipam/model/ipam-config.ts';
import type { JsonObject } from '../../ipam/model/resource.ts';
import { Fields } from './fields.ts';
import { Misreading, wrongValue } from './misreading.ts';
import { type ObjectHead, rowHead } from './object-head.ts';

/** How a store spells the two switches, and what an absent second one means there. */
interface ConfigForm {
  readonly strictAffinity: string;
  readonly autoAllocateBlocks: string;
  readonly allocatesByDefault: boolean;
}

const RESOURCE_FORM: ConfigForm = {
  strictAffinity: 'strictAffinity',
  autoAllocateBlocks: 'autoAllocateBlocks',
  allocatesByDefault: false,
};
/** Only the newer group's schema fills in a default. */
const NEWER_RESOURCE_FORM: ConfigForm = { ...RESOURCE_FORM, allocatesByDefault: true };
const ETCD_FORM: ConfigForm = {
  strictAffinity: 'strict_affinity',
  autoAllocateBlocks: 'auto_allocate_blocks',
  allocatesByDefault: false,
};

/**
 * Reads an IPAMConfig or IPAMConfiguration as it stands; bounds are not checked.
 * @throws {@link Misreading}
 */
export function decodeIpamConfig(head: ObjectHead, object: JsonObject): IpamConfigRow {
  const isNewer = object['apiVersion'] === 'projectcalico.org/v3';
  return configRow(head, Fields.spec(object), isNewer ? NEWER_RESOURCE_FORM : RESOURCE_FORM);
}

/**
 * Makes the row from an etcd value, where whatever is false, zero or unset is left out: an empty value turns automatic
 * allocation off.
 * @throws {@link Misreading}
 */
export function etcdConfigRow(head: ObjectHead, value: JsonObject): IpamConfigRow {
  return configRow(head, new Fields(value, ''), ETCD_FORM);
}

function configRow(head: ObjectHead, fields: Fields, form: ConfigForm): IpamConfigRow {
  return {
    ...rowHead(head),
    kind: 'IPAMConfig',
    strictAffinity: fields.boolean(form.strictAffinity) ?? false,
    autoAllocateBlocks: fields.boolean(form.autoAllocateBlocks) ?? form.allocatesByDefault,
    maxBlocksPerHost: fields.integer('maxBlocksPerHost') ?? 0,
    kubeVirtVMAddressPersistence: readPersistence(fields),
    ...(fields.text('kubeVirtVMAddressPersistence') === undefined
      ? { persistenceUnset: true }
      : {}),
    ipCooldownSeconds: fields.integer('ipCooldownSeconds') ?? 0,
  };
}

function readPersistence(fields: Fields): 'Enabled' | 'Disabled' {
  const name = 'kubeVirtVMAddressPersistence';
  const text = fields.text(name) ?? 'Enabled';
  if (text === 'Enabled' || text === 'Disabled') return text;
  throw new Misreading(wrongValue(fields.pathOf(name), text, 'known setting'));
}
