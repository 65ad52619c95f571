import { parseCidr } from '../../net/cidr.ts';
import type { JsonValue } from '../model/resource.ts';
import type { Vocabulary } from './vocabulary.ts';

const IPAM_ROOT = '/calico/ipam/v2/';
const BLOCKS = `${IPAM_ROOT}assignment/`;
const HANDLES = `${IPAM_ROOT}handle/`;
const CONFIG = `${IPAM_ROOT}config`;
const RESOURCES = '/calico/resources/v3/projectcalico.org/';

const BLOCK_NAME = /^(ipv[46]\/block\/)([^/]+)$/;
const AFFINITY_NAME = /^(host|virtual|@)\/([^/]+)\/(ipv[46]\/block\/)([^/]+)$/;

/**
 * The key of etcd in whose place another one stands. What names no row does not name one afterwards.
 *
 * @param resource Maps the name of a resource in this folder, where one object's name may depend on its value.
 * Source: Calico libcalico-go lib/backend/model, default paths.
 */
export function redactPath(
  path: string,
  vocabulary: Vocabulary,
  resource: (folder: string, name: string) => string,
): string {
  if (path === CONFIG) return path;
  if (path.startsWith(BLOCKS)) return BLOCKS + blockName(path.slice(BLOCKS.length), vocabulary);
  if (path.startsWith(HANDLES)) return HANDLES + vocabulary.handles.map(path.slice(HANDLES.length));
  if (path.startsWith(IPAM_ROOT))
    return IPAM_ROOT + affinityName(path.slice(IPAM_ROOT.length), vocabulary);
  if (path.startsWith(RESOURCES))
    return RESOURCES + resourceName(path.slice(RESOURCES.length), vocabulary, resource);
  return vocabulary.words.scrubText(path);
}

/** The prefix in the text of a key, such as `10.0.0.0-26`. */
export function cidrTextOf(name: string): string {
  return name.replace(/-(?=[^-]*$)/, '/');
}

/** Prefixes that a key names. */
export function cidrTextsOf(path: string): readonly string[] {
  return [cidrTextOf(path.slice(path.lastIndexOf('/') + 1))];
}

function blockName(name: string, vocabulary: Vocabulary): string {
  const [, folder = '', cidr = ''] = BLOCK_NAME.exec(name) ?? [];
  return folder === ''
    ? vocabulary.names.word('block', name)
    : folder + prefixName(cidr, vocabulary);
}

function prefixName(name: string, { addresses, names }: Vocabulary): string {
  const text = cidrTextOf(name);
  return parseCidr(text) ? addresses.text(text).replace('/', '-') : names.word('block', name);
}

function affinityName(name: string, vocabulary: Vocabulary): string {
  const [, type, host = '', folder = '', cidr = ''] = AFFINITY_NAME.exec(name) ?? [];
  if (type === undefined) {
    const slash = name.indexOf('/');
    // What has one part only would be the mark of a host, so the parts stay as many as they are.
    return name.slice(0, slash + 1) + vocabulary.names.name('affinity', name.slice(slash + 1));
  }
  return `${type}/${vocabulary.host(host)}/${folder}${prefixName(cidr, vocabulary)}`;
}

function resourceName(
  rest: string,
  { names }: Vocabulary,
  resource: (folder: string, name: string) => string,
): string {
  const [folder = '', ...parts] = rest.split('/');
  const last = parts.at(-1) ?? '';
  const namespaces = parts.slice(0, -1).map((part) => names.name('ns', part));
  const name = escapeName(resource(folder, unescapeName(last)));
  return [folder, ...namespaces, name].join('/');
}

function unescapeName(name: string): string {
  return name.replaceAll('%2f', '/');
}

function escapeName(name: string): string {
  return name.replaceAll('/', '%2f');
}

/** All texts in a value, however deep. */
export function* textsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const element of value) yield* textsIn(element);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      yield name;
      yield* textsIn(member);
    }
  }
}
