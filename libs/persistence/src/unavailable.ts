/** MongoDB's server codes for "not now": no primary, stepping down, shutting down, network, time limit, majority not reached, disk full. */
const passingCodes = new Set([
  6, 7, 50, 64, 89, 91, 189, 202, 262, 317, 358, 9001, 10107, 11600, 11602, 13435, 13436, 14031,
]);
const passingLabels = ['RetryableWriteError', 'TransientTransactionError', 'ResetPool'];
const passingNames =
  /^(Mongo(Network(Timeout)?|ServerSelection|NotConnected|TopologyClosed|PoolCleared|PoolClosed|WaitQueueTimeout|ClientClosed|OperationTimeout|ExpiredSession)Error|MongooseServerSelectionError|DisconnectedError|DatabaseUnavailableError|PoolClearedOnNetworkError|PoolClearedError|PoolClosedError)$/;
const passingSqlite = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|PROTOCOL|NOMEM)/;
/** The driver lets some errors of its sockets through as they are; those of the system name its call. */
const passingSockets = /^(ECONN(RESET|REFUSED|ABORTED)|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** A write to a socket that has ended or is destroyed already: Node answers it itself, without a system call. */
const passingStreams = /^(EPIPE|ERR_STREAM_DESTROYED|ERR_STREAM_WRITE_AFTER_END|ERR_SOCKET_CLOSED)$/;
/** Mongoose says these only in words (P12, P13). */
const passingWords = /before initial connection is complete|buffering timed out|Connection was force closed/;

interface Described {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly errorLabels?: unknown;
  readonly errorLabelSet?: unknown;
  readonly cause?: unknown;
  /** Where the driver keeps the error that ended a bulk write. */
  readonly errorResponse?: unknown;
}

/**
 * The database cannot be reached or cannot write now, so that the same call may succeed later. Knows errors by name and code, since each
 * engine brings classes of its own.
 */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 3) return false;
  const { name, code, syscall, message, errorLabels, errorLabelSet, cause, errorResponse } = error as Described;
  if (typeof name === 'string' && passingNames.test(name)) return true;
  if (typeof code === 'number' && passingCodes.has(code)) return true;
  if (typeof code === 'string' && passingSqlite.test(code)) return true;
  if (typeof code === 'string' && typeof syscall === 'string' && passingSockets.test(code)) return true;
  if (typeof code === 'string' && passingStreams.test(code)) return true;
  const labels = [
    ...(Array.isArray(errorLabels) ? errorLabels : []),
    ...(errorLabelSet instanceof Set ? errorLabelSet : []),
  ];
  if (passingLabels.some((label) => labels.includes(label))) return true;
  if (name === 'MongooseError' && passingWords.test(String(message))) return true;
  return isUnavailable(cause, depth + 1) || isUnavailable(errorResponse, depth + 1);
}
