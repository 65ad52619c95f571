import type { ExitName } from './exit-status.ts';
import { ToolError, type ToolErrorOptions } from './tool-error.ts';

/** Why the allocation engine did not do what it was asked, and the exit status of a command that ends with it. */
const CATEGORIES = {
  'address-outside-block': 'usage',
  'bad-address': 'usage',
  'bad-handle': 'conflict',
  'bad-host-reservation': 'usage',
  'bad-selector': 'data',
  'bad-sequence-number': 'conflict',
  'block-limit': 'refused',
  'block-not-empty': 'refused',
  'block-without-free-addresses': 'refused',
  'cidr-smaller-than-block': 'usage',
  'claimed-by-other': 'conflict',
  'config-limit-without-strict': 'usage',
  'config-neither-strict-nor-automatic': 'usage',
  conflict: 'conflict',
  'contradictory-arguments': 'usage',
  'empty-handle': 'usage',
  exists: 'refused',
  'handle-cap': 'refused',
  'in-cooldown': 'refused',
  'max-retries': 'conflict',
  'missing-address': 'usage',
  'missing-updates': 'usage',
  'name-not-storable': 'usage',
  'no-block-and-no-auto-allocation': 'refused',
  'no-free-blocks': 'refused',
  'no-pool-for-node': 'notFound',
  'no-pool-for-use': 'notFound',
  'no-qualified-pool': 'notFound',
  'not-found': 'notFound',
  'owner-precondition': 'conflict',
  'pool-not-configured': 'notFound',
  'refused-by-schema': 'usage',
  'requested-pool-unusable': 'notFound',
  'stale-affinity': 'conflict',
  'strict-affinity': 'refused',
  'strict-affinity-unowned-block': 'refused',
  'use-not-allowed': 'refused',
  'use-required': 'usage',
  'wrong-family-pool': 'usage',
  'wrong-handle': 'refused',
} as const satisfies Record<string, ExitName>;

/** One of the reasons that an {@link EngineError} gives. Names never change meaning. */
export type EngineErrorCategory = keyof typeof CATEGORIES;

/**
 * The allocation engine refused an operation, or gave it up. Callers look at the category, never at the text. Errors of
 * the datastore, lost races included, pass through the engine unchanged.
 */
export class EngineError extends ToolError {
  /** The category in upper snake case. */
  override readonly code: string;
  readonly category: EngineErrorCategory;
  protected override readonly exit: ExitName;

  constructor(category: EngineErrorCategory, message: string, options: ToolErrorOptions = {}) {
    super(message, options);
    this.category = category;
    this.code = category.toUpperCase().replaceAll('-', '_');
    this.exit = CATEGORIES[category];
  }
}

/** Whether the engine gave this reason. */
export function isEngineError(
  error: unknown,
  ...categories: readonly EngineErrorCategory[]
): error is EngineError {
  return error instanceof EngineError && categories.includes(error.category);
}
