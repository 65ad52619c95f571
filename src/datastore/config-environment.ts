import {
  CONFIG_FIELDS,
  type ConfigFieldName,
  type ConfigValue,
  type ConfigValues,
  parseConfigText,
} from './config-fields.ts';
import type { Sourced } from './connection.ts';

/**
 * Settings that the environment gives. A variable with the prefix `CALICO_` hides the one without it even when it is empty;
 * an empty text counts as not given, and an empty boolean or number is an error.
 *
 * Source: upstream libcalico-go, lib/apiconfig LoadClientConfigFromEnvironment.
 * @throws {@link ConfigError} naming the variable whose text is not of its setting's type.
 */
export function environmentValues(env: Readonly<Record<string, string | undefined>>): ConfigValues {
  const values = new Map<ConfigFieldName, Sourced<ConfigValue>>();
  for (const name of Object.keys(CONFIG_FIELDS) as ConfigFieldName[]) {
    const variable = CONFIG_FIELDS[name].variables.find(
      (candidate) => env[candidate] !== undefined,
    );
    const text = variable === undefined ? undefined : env[variable];
    if (text === undefined) continue;
    const origin = `environment variable ${variable}`;
    const value = parseConfigText(name, { value: text, origin });
    if (value !== '') values.set(name, { value, origin });
  }
  return values;
}
