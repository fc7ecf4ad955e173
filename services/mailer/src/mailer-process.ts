import { authApi, userApi } from '@latchkey/contracts';
import { createServiceProcess, loadProcessConfig, type ProcessOptions, type ServiceProcess } from '@latchkey/hosting';
import { type Environment, loadConfig, loadTogether, needed, settings } from '@latchkey/kit';
import { loadMailerConfig } from './config.js';
import { createSmtpTransport } from './mail-transport.smtp.js';
import { createMailer } from './mailer.js';

/** There is no built-in mailbox here: without SMTP_URL the mailer refuses to start. */
export function loadMailerProcessConfig(environment: Environment) {
  return loadTogether(
    {
      process: loadProcessConfig(settings.MAILER_PORT),
      mailer: loadMailerConfig,
      neighbours: (given) =>
        loadConfig(
          { smtpUrl: needed(settings.SMTP_URL), authUrl: settings.AUTH_URL, userUrl: settings.USER_URL },
          given,
        ),
    },
    environment,
  );
}

/** The mailer as a process of its own. Throws `ConfigError` with all faults. */
export function createMailerProcess(environment: Environment, options: ProcessOptions = {}): ServiceProcess {
  const { process, mailer: config, neighbours } = loadMailerProcessConfig(environment);
  return createServiceProcess({
    name: 'mailer',
    config: process,
    options,
    compose({ clock, client }) {
      const auth = client(authApi, 'auth', neighbours.authUrl);
      const users = client(userApi, 'user', neighbours.userUrl);
      // Closed by the mailer.
      const transport = createSmtpTransport({ url: neighbours.smtpUrl, clock });
      return { service: (parts) => createMailer({ ...parts, config, auth, users, transport }) };
    },
  });
}
