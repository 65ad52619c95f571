import type { ConfigFieldName, ConfigValue, ConfigValues } from './config-fields.ts';
import type { Sourced } from './connection.ts';

/** Settings of several sources, of which the first that gives one wins. */
export class LayeredValues {
  readonly #layers: readonly ConfigValues[];

  /** @param layers The one that wins first. */
  constructor(layers: readonly ConfigValues[]) {
    this.#layers = layers;
  }

  /** The setting, undefined when no source gives it. */
  find<T extends ConfigValue>(name: ConfigFieldName): Sourced<T> | undefined {
    const layer = this.#layers.find((candidate) => candidate.has(name));
    // The sources have checked the type, which the table of settings gives.
    return layer?.get(name) as Sourced<T> | undefined;
  }

  /** Whether the first setting comes from a source that wins over the second one's. */
  beats(name: ConfigFieldName, other: ConfigFieldName): boolean {
    const rank = (wanted: ConfigFieldName) => this.#layers.findIndex((layer) => layer.has(wanted));
    return rank(name) >= 0 && (rank(other) < 0 || rank(name) < rank(other));
  }
}
