import { errorCode } from '../errorCode';

/** Why a server's relay is not connected. */
export type FailureKind =
  /** Nothing answers there. */
  | 'unreachable'
  /** It was connected, and the connection ended. */
  | 'closed'
  /** The server answers, but has no relay. */
  | 'no-relay'
  /** The server does not let this token in. */
  | 'refused'
  /** Its certificate is not one that Node trusts. */
  | 'certificate'
  /** The relay has as many clients as it takes. */
  | 'busy'
  /** Relay and bridge are too far apart in version. */
  | 'outdated'
  /** It answers what no Jupyter server answers. */
  | 'unexpected';

/** A failure with the sentence that tells it, ending without a full stop. */
export interface IFailure {
  readonly kind: FailureKind;
  readonly message: string;
}

/** Failures that may pass without the person doing anything. */
export function mayPass(kind: FailureKind): boolean {
  return kind === 'unreachable' || kind === 'closed' || kind === 'busy';
}

/** The more telling of two failures of one server's addresses. */
export function moreTelling(a: IFailure | null, b: IFailure): IFailure {
  return a === null || a.kind === 'unreachable' ? b : a;
}

/** What an HTTP answer in place of the upgrade means. */
export function failureOfStatus(
  status: number,
  shown: string,
  withToken: boolean
): IFailure {
  if (status === 404) {
    return {
      kind: 'no-relay',
      message: `the Jupyter server at ${shown} runs without the jupyterlab_mcp_bridge extension: install it where that server runs (pip install jupyterlab_mcp_bridge) and restart the server`
    };
  }
  if ((status === 401 || status === 403) && !withToken) {
    return {
      kind: 'refused',
      message: `the Jupyter server at ${shown} wants a sign-in, and the bridge has no token for it: with --server, give its token in JUPYTER_TOKEN or by --token-file; where it takes a password only, start it with JUPYTER_TOKEN set as well`
    };
  }
  if (status === 401 || status === 403) {
    return {
      kind: 'refused',
      message: `the Jupyter server at ${shown} did not accept the token: with --server, give its own token in JUPYTER_TOKEN or by --token-file; it must be allowed to run code`
    };
  }
  if (status >= 300 && status < 400) {
    return {
      kind: 'refused',
      message: `the server at ${shown} answered with a redirect, as to a sign-in page: check the address, that the token is the server's own, and, on a JupyterHub, that the user's server is running`
    };
  }
  return {
    kind: 'unexpected',
    message: `the server at ${shown} answered with HTTP status ${status}, which is not what a running Jupyter server answers`
  };
}

/** What a failed connection means. */
export function failureOfError(error: unknown, shown: string): IFailure {
  const code = errorCode(error);
  if (/CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|^ERR_TLS/.test(code)) {
    return {
      kind: 'certificate',
      message: `the certificate of ${shown} is not trusted (${code}): start the bridge with NODE_EXTRA_CA_CERTS naming the file of the certificate or its authority`
    };
  }
  if (/^(EPROTO|HPE_|ERR_SSL)/.test(code)) {
    return {
      kind: 'unexpected',
      message: `the server at ${shown} does not speak ${shown.startsWith('https') ? 'https' : 'http'}`
    };
  }
  return {
    kind: 'unreachable',
    message: `nothing answers at ${shown}${code ? ` (${code})` : ''}`
  };
}
