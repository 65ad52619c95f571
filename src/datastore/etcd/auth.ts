import type { EtcdConnection } from '../connection.ts';

/** User and password; undefined unless both are set, as Calico takes them. */
export function userOf(
  connection: EtcdConnection,
): { readonly name: string; readonly password: string } | undefined {
  const { username, password } = connection;
  return username && password ? { name: username.value, password: password.value } : undefined;
}

/** Keeps the token of a user; requests that come while it is fetched wait for the same one. */
export class TokenHolder {
  readonly #fetch: () => Promise<string | undefined>;
  #token: Promise<string | undefined> | undefined;

  /** @param fetch Signs in; undefined when etcd wants no token. */
  constructor(fetch: () => Promise<string | undefined>) {
    this.#fetch = fetch;
  }

  /** The token, fetched when there is none. */
  token(): Promise<string | undefined> {
    this.#token ??= this.#fetched();
    return this.#token;
  }

  /** Forgets a token that was refused, unless another one has been fetched meanwhile. */
  async forget(refused: string | undefined): Promise<void> {
    const known = this.#token;
    if (known !== undefined && (await known.catch(() => undefined)) === refused) {
      if (this.#token === known) this.#token = undefined;
    }
  }

  async #fetched(): Promise<string | undefined> {
    try {
      return await this.#fetch();
    } catch (error) {
      // The next request tries again.
      this.#token = undefined;
      throw error;
    }
  }
}
