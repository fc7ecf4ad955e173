import type { Channel, ChannelModel, ChannelOptions, ConfirmChannel } from 'amqplib';
import { QueueUnavailableError } from '../port.js';

/**
 * A channel whose `error` and `handler-error` have listeners: without one an error would take the process down (P1, P7). Each `error` is followed by
 * `close`, which is what its owner acts on; `failed` is told why.
 */
export async function openChannel(connection: ChannelModel, failed?: (error: Error) => void): Promise<Channel> {
  return listen(await connection.createChannel(), failed);
}

export async function openConfirmChannel(
  connection: ChannelModel,
  options: ChannelOptions,
  failed?: (error: Error) => void,
): Promise<ConfirmChannel> {
  return listen(await connection.createConfirmChannel(options), failed);
}

function listen<C extends Channel>(channel: C, failed: (error: Error) => void = () => undefined): C {
  channel.on('error', failed);
  channel.on('handler-error', failed);
  return channel;
}

/** For a broker that holds the connection and says nothing (F9). */
export const unanswered = () => new QueueUnavailableError('the broker does not answer');
