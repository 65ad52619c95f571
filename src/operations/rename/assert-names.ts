import { UsageError } from '../../errors/usage-error.ts';
import { isObjectName } from '../../ipam/model/object-name.ts';
import type { NameMap } from '../../ipam/rename/legs.ts';
import type { RowKeys } from '../../ipam/model/row-keys.ts';

/**
 * What the newer group lets stand behind the type in the owner of a block; names in etcd are held to it, too.
 * Source: Calico api, IPAMBlock, pattern of the affinity.
 */
const OWNER_NAME = /^[a-zA-Z0-9._-]+$/;

/**
 * Refuses new names that no node of this datastore can have.
 * @throws {@link UsageError} naming all of them.
 */
export function assertNames(names: NameMap, keys: RowKeys): void {
  const isName = (name: string): boolean =>
    OWNER_NAME.test(name) && (keys.form === 'entry' || isObjectName(name));
  const bad = [...names.values()].filter((name) => !isName(name));
  if (bad.length === 0) return;
  throw new UsageError(
    `no node can be called ${bad.map((name) => JSON.stringify(name)).join(', ')}`,
    {
      hint:
        keys.form === 'entry'
          ? 'a name consists of letters, digits, "-", "_" and "."'
          : 'a name consists of lower-case letters, digits, "-" and ".", and begins and ends with a letter or digit',
      details: { names: bad },
    },
  );
}

/**
 * Refuses a name under which a row could not be stored.
 * @param what What would have the name, as a sentence part.
 * @throws {@link UsageError}
 */
export function assertRowName(name: string, what: string, keys: RowKeys): void {
  if (keys.form === 'entry' || isObjectName(name)) return;
  throw new UsageError(
    `${what} would be called "${name}", which is no name of an object in Kubernetes`,
    { hint: 'choose a shorter or simpler name' },
  );
}
