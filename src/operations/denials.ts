import { AccessDeniedError } from '../errors/access-denied-error.ts';
import { stringifyJson } from '../support/json.ts';

/** A missing right, as {@link AccessDeniedError} lists it in its details. */
interface DeniedRight {
  readonly verb: string;
  readonly resource: string;
  readonly apiGroup?: string | undefined;
}

/** Collects what is not allowed, so that all of it is told at once and not the first alone. */
export class Denials {
  readonly #errors: AccessDeniedError[] = [];

  /** Waits for a reading; that it is not allowed is noted, any other error is thrown. */
  async take(reading: Promise<unknown>): Promise<void> {
    try {
      await reading;
    } catch (error) {
      if (!(error instanceof AccessDeniedError)) throw error;
      this.#errors.push(error);
    }
  }

  /** @throws {@link AccessDeniedError} naming every right that was missing. */
  assertNone(): void {
    if (this.#errors.length > 0) throw mergeDenied(this.#errors);
  }
}

/**
 * Reads something; when that is not allowed, the readings that would have followed are tried, too, for nothing but the
 * rights that they lack.
 * @throws {@link AccessDeniedError} naming every right that is missing.
 */
export async function namingAllDenied<T>(
  reading: () => Promise<T>,
  following: () => Promise<unknown>,
): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof AccessDeniedError)) throw error;
    const denials = new Denials();
    await denials.take(Promise.reject(error));
    await denials.take(following());
    denials.assertNone();
    throw error;
  }
}

/** One error for several; answers come in any order, the error is the same each time. */
export function mergeDenied(errors: readonly AccessDeniedError[]): AccessDeniedError {
  const sorted = [...errors].sort((a, b) => (a.message < b.message ? -1 : 1));
  const [first] = sorted as unknown as readonly [AccessDeniedError];
  if (errors.length === 1) return first;
  const all = sorted.flatMap(
    ({ details }) => (details['denied'] ?? []) as unknown as readonly DeniedRight[],
  );
  const denied = [...new Map(all.map((right) => [stringifyJson(right), right])).values()];
  return new AccessDeniedError(`access denied: ${denied.map(rightText).join(', ')}`, {
    hint: first.hint,
    details: { ...first.details, denied },
    cause: first,
  });
}

/** A right in words, as `kubectl auth can-i` takes them: `list ipamblocks.crd.projectcalico.org`. */
export function rightText({ verb, resource, apiGroup }: DeniedRight): string {
  return `${verb} ${apiGroup === undefined ? resource : `${resource}.${apiGroup}`}`;
}
