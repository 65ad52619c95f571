/** An API server of a kubeconfig. File paths are absolute or relative to the working folder. */
export interface KubeconfigCluster {
  readonly server: string;
  readonly caFile?: string | undefined;
  /** Base64. */
  readonly caData?: string | undefined;
  readonly insecureSkipTLSVerify: boolean;
  readonly tlsServerName?: string | undefined;
  readonly proxyUrl?: string | undefined;
}

/** A command that prints credentials. */
export interface KubeconfigExec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly apiVersion: string;
  readonly installHint?: string | undefined;
  readonly provideClusterInfo: boolean;
}

/** Whom the user acts as. */
export interface Impersonation {
  readonly user?: string | undefined;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A user of a kubeconfig. */
export interface KubeconfigUser {
  readonly certFile?: string | undefined;
  /** Base64. */
  readonly certData?: string | undefined;
  readonly keyFile?: string | undefined;
  /** Base64. */
  readonly keyData?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly exec?: KubeconfigExec | undefined;
  /** Login through a provider such as `oidc`. */
  readonly authProvider?:
    { readonly name: string; readonly config: Readonly<Record<string, string>> } | undefined;
  readonly impersonation: Impersonation;
}

/** Which user goes to which cluster. */
export interface KubeconfigContext {
  readonly cluster: string;
  readonly user?: string | undefined;
}

/** A thing of a kubeconfig with the place that it came from. */
export interface Placed<T> {
  readonly value: T;
  /** File of which it was read, as messages name it. */
  readonly place: string;
}

/** One kubeconfig, or several merged. */
export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, Placed<KubeconfigCluster>>;
  readonly users: ReadonlyMap<string, Placed<KubeconfigUser>>;
  readonly contexts: ReadonlyMap<string, Placed<KubeconfigContext>>;
  readonly currentContext?: Placed<string> | undefined;
  /** All files of which it was read. */
  readonly place: string;
}
