import pino, { type DestinationStream, type Logger } from 'pino';
import { standardOutput } from './log-destination.js';
import { redactFields, redactLine } from './redaction.js';
import { currentTraceIds } from './tracing/tracing.js';

export type { DestinationStream, Logger } from 'pino';

/**
 * JSON lines with redaction (S12, S26), to standard output unless `destination` says otherwise. A full disk or a closed pipe loses lines and
 * never kills the process (F22).
 */
export function createLogger(options: { service: string; level: string; destination?: DestinationStream }): Logger {
  return pino(
    {
      level: options.level,
      base: { service: options.service },
      mixin: () => ({ ...currentTraceIds() }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactFields(fields) as Record<string, unknown>,
      },
      hooks: { streamWrite: redactLine },
    },
    options.destination ? sparing(options.destination) : standardOutput(),
  );
}

/** A destination whose failures stay its own. */
function sparing(destination: DestinationStream): DestinationStream {
  if ('on' in destination && typeof destination.on === 'function') destination.on('error', () => {});
  return {
    write(line) {
      try {
        destination.write(line);
      } catch {
        // Nothing can be told where nothing can be written.
      }
    },
  };
}
