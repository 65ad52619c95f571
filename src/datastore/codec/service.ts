import type { JsonObject } from '../../ipam/model/resource.ts';
import type { ServiceRow } from '../../ipam/model/service.ts';
import { AddressList } from './address-text.ts';
import { Fields, memberObject } from './fields.ts';
import { Misreading, wrongValue } from './misreading.ts';
import { type ObjectHead, rowHead } from './object-head.ts';

/** Annotations by which a Service asks for addresses of Calico. */
const REQUEST_ANNOTATIONS = [
  'projectcalico.org/ipv4pools',
  'projectcalico.org/ipv6pools',
  'projectcalico.org/loadBalancerIPs',
] as const;

/**
 * Reads a Service; undefined when it is not of type LoadBalancer, which is what shows addresses. Ingress entries with a host name only name no address.
 * Source: Calico kube-controllers pkg/controllers/loadbalancer, which Services are Calico's.
 * @throws {@link Misreading}
 */
export function decodeService(head: ObjectHead, object: JsonObject): ServiceRow | undefined {
  const spec = Fields.spec(object);
  const type = spec.text('type');
  if (type !== undefined && type !== 'LoadBalancer') return undefined;
  const addresses = readIngress(object);
  if (type === undefined) {
    if (addresses.length === 0) return undefined;
    throw new Misreading('spec.type is missing, although status shows addresses');
  }
  if (head.damage !== undefined) throw new Misreading(head.damage);
  const isAnnotated = REQUEST_ANNOTATIONS.some((name) => (head.annotations[name] ?? '') !== '');
  const isSpecified = spec.text('loadBalancerIP') !== undefined;
  return {
    ...rowHead(head),
    kind: 'Service',
    loadBalancerClass: spec.text('loadBalancerClass'),
    requested: isAnnotated || isSpecified,
    addresses,
  };
}

function readIngress(object: JsonObject): ServiceRow['addresses'] {
  const balancer = new Fields(memberObject(object, 'status'), 'status').child('loadBalancer');
  const list = new AddressList();
  for (const entry of balancer?.children('ingress') ?? []) {
    const text = entry.text('ip');
    if (text !== undefined && !list.add(text)) {
      throw new Misreading(wrongValue(entry.pathOf('ip'), text, 'address'));
    }
  }
  return list.addresses;
}
