import { isObjectName } from '../../ipam/model/object-name.ts';
import { shownName } from '../../ipam/migration/refusal.ts';
import { keyText, type ResourceKey } from '../../ipam/model/resource.ts';
import type { RefusalReason } from './judge-row.ts';

/** Names that the objects of one kind get in Kubernetes: possible ones, and each once. */
export class NameRegister {
  readonly #subjects = new Map<string, string>();

  /** Takes a name for a subject. @returns why it cannot have it. */
  take(key: ResourceKey, subject: string): RefusalReason | undefined {
    const name = keyText(key);
    if (!isObjectName(key.name) || (key.namespace !== undefined && !isObjectName(key.namespace))) {
      const reason = `would be called ${shownName(name)}, which nothing in Kubernetes can be called`;
      return { code: 'impossible-name', reason };
    }
    const other = this.#subjects.get(name);
    this.#subjects.set(name, other ?? subject);
    if (other === undefined) return undefined;
    return { code: 'shared-name', reason: `would be called ${name}, as would ${other}` };
  }
}
