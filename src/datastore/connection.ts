/** A configured value together with the place it came from, so that an error about it can name that place. */
export interface Sourced<T> {
  readonly value: T;
  /** Such as `--kubeconfig`, `environment variable KUBECONFIG` or `/etc/calico/calicoctl.cfg (spec.kubeconfig)`. */
  readonly origin: string;
}

/** How much a backend may ask of a server at once; every field is a flag of the commands. */
export interface RequestLimits {
  /** Requests a second; unlimited when absent. */
  readonly qps?: Sourced<number> | undefined;
  /** Requests that may go out before {@link qps} counts. */
  readonly burst?: Sourced<number> | undefined;
  /** Items of a page; one unpaged stream per kind when absent. */
  readonly pageSize?: number | undefined;
  /** Milliseconds that a request may take until its response begins. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the process has around it; passed in, so that tests choose it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user, where there is one. */
  readonly homeDir?: string | undefined;
  /** Whether the connection is the only one of its process, so that settings that hold for all of it may be changed. */
  readonly ownsProcess?: boolean | undefined;
}

/**
 * Resolved settings of a Kubernetes connection. An absent field was configured nowhere.
 * Overrides apply on top of a kubeconfig and of in-cluster values; an inline kubeconfig ignores all of them.
 *
 * Source: Calico documentation, "Configure calicoctl", Kubernetes API datastore.
 */
export interface KubernetesConnection extends RequestLimits, Surroundings {
  /** Path, or several joined by the path-list separator, of which the first that names a thing wins. */
  readonly kubeconfig?: Sourced<string> | undefined;
  /** Kubeconfig text; replaces {@link kubeconfig} and every override below. */
  readonly kubeconfigInline?: Sourced<string> | undefined;
  readonly context?: Sourced<string> | undefined;
  readonly apiEndpoint?: Sourced<string> | undefined;
  readonly keyFile?: Sourced<string> | undefined;
  readonly certFile?: Sourced<string> | undefined;
  readonly caFile?: Sourced<string> | undefined;
  /** Bearer token. */
  readonly token?: Sourced<string> | undefined;
  readonly insecureSkipTLSVerify?: Sourced<boolean> | undefined;
  /** `projectcalico.org/v3` without regard to case means that group, any other text the older one; detected when absent. */
  readonly apiGroup?: Sourced<string> | undefined;
  /** The same for a cluster that serves neither group yet; without it such a cluster is refused. */
  readonly groupIfAbsent?: string | undefined;
}

/**
 * Resolved settings of an etcd connection. An absent field was configured nowhere.
 *
 * Source: Calico documentation, "Configure calicoctl", etcd datastore.
 */
export interface EtcdConnection extends RequestLimits, Pick<Surroundings, 'env'> {
  /** URLs, joined by commas; exclusive with {@link discoverySrv}. */
  readonly endpoints?: Sourced<string> | undefined;
  /** Domain whose SRV records name the endpoints. */
  readonly discoverySrv?: Sourced<string> | undefined;
  /** Both or neither count. */
  readonly username?: Sourced<string> | undefined;
  readonly password?: Sourced<string> | undefined;
  /** Files in PEM; exclusive with the inline fields. */
  readonly keyFile?: Sourced<string> | undefined;
  readonly certFile?: Sourced<string> | undefined;
  readonly caFile?: Sourced<string> | undefined;
  /** PEM text. */
  readonly key?: Sourced<string> | undefined;
  readonly cert?: Sourced<string> | undefined;
  readonly ca?: Sourced<string> | undefined;
}
