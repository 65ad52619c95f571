import type { JsonObject } from '../../ipam/model/resource.ts';
import type { WorkloadEndpointRow } from '../../ipam/model/workload-endpoint.ts';
import { AddressList } from './address-text.ts';
import { Fields } from './fields.ts';
import { Misreading, wrongValue } from './misreading.ts';
import { type ObjectHead, rowHead } from './object-head.ts';

/** Reads a WorkloadEndpoint. @throws {@link Misreading} that names the node when that could be read. */
export function decodeWorkloadEndpoint(head: ObjectHead, object: JsonObject): WorkloadEndpointRow {
  const spec = Fields.spec(object);
  const node = spec.requiredText('node');
  try {
    return {
      ...rowHead(head),
      kind: 'WorkloadEndpoint',
      node,
      orchestrator: spec.requiredText('orchestrator'),
      pod: spec.text('pod'),
      addresses: readNetworks(spec),
    };
  } catch (error) {
    if (error instanceof Misreading) throw new Misreading(error.message, node);
    throw error;
  }
}

function readNetworks(spec: Fields): WorkloadEndpointRow['addresses'] {
  const list = new AddressList();
  for (const text of spec.texts('ipNetworks')) {
    if (!list.add(text))
      throw new Misreading(wrongValue(spec.pathOf('ipNetworks'), text, 'address'));
  }
  return list.addresses;
}
