import { describeMessaging } from '../../contract/messaging/messaging.suite';
import { RabbitBroker } from '../../support/rabbitmq';
import { openRabbitEngine } from './rabbitmq-engine';

// Of hooks too: a busy broker takes its time to remove a virtual host.
jest.setTimeout(120_000);

let broker: RabbitBroker;
beforeAll(async () => {
  broker = await RabbitBroker.start();
}, 120_000);
afterAll(() => broker?.dispose());

describeMessaging('RabbitMQ', () => openRabbitEngine(broker));
