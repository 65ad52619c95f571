import { AlreadyExistsError } from '../errors/already-exists-error.ts';
import { ConflictError } from '../errors/conflict-error.ts';
import { NotFoundError } from '../errors/not-found-error.ts';
import { keyText, type ResourceKey } from '../ipam/model/resource.ts';
import type { StoredKind } from './object-store.ts';

/** What a write is about, for messages. */
export interface WrittenName {
  readonly kind: StoredKind;
  readonly key: ResourceKey;
}

/** The error for a row or object that is there already. */
export function alreadyExists({ kind, key }: WrittenName): AlreadyExistsError {
  return new AlreadyExistsError(`${kind} ${keyText(key)} exists already`, {
    details: { kind, ...key },
  });
}

/** The error for a row or object that is gone. */
export function notFound({ kind, key }: WrittenName): NotFoundError {
  return new NotFoundError(`${kind} ${keyText(key)} does not exist`, { details: { kind, ...key } });
}

/** The error for a row or object that changed since it was read. */
export function conflict({ kind, key }: WrittenName): ConflictError {
  return new ConflictError(`${kind} ${keyText(key)} has changed in the meantime`, {
    details: { kind, ...key },
    retryable: true,
  });
}
