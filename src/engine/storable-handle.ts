import type { RowKeys } from '../ipam/model/row-keys.ts';
import { EngineError } from '../errors/engine-error.ts';

const DNS_LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const DNS_SUBDOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
const LONGEST_NAME = 253;

/**
 * Refuses the id of a handle that no row of the datastore can have.
 *
 * @remarks Kubernetes takes names of domains only. Calico tries to store others until it gives up; the category is the
 * same here, without the requests.
 * @throws {@link EngineError} `empty-handle`, `name-not-storable`, `max-retries`
 */
export function assertStorableHandle(keys: RowKeys, id: string): void {
  if (id === '') throw new EngineError('empty-handle', 'an empty text is no handle');
  if (keys.form === 'entry') return;
  if (id.includes('/')) {
    throw new EngineError(
      'name-not-storable',
      `the handle "${id}" holds a slash and cannot be stored in Kubernetes`,
    );
  }
  const { name } = keys.handle(id);
  if (name.length <= LONGEST_NAME && DNS_SUBDOMAIN.test(name)) return;
  throw new EngineError(
    'max-retries',
    `the handle "${id}" is no name of Kubernetes and cannot be stored`,
  );
}
