import { mailerApi } from '@latchkey/contracts';
import { type Route, route } from '@latchkey/kit';
import { type ListMailsDeps, listMails } from './use-cases/list-mails.js';
import { type ReplayMailDeps, replayMail } from './use-cases/replay-mail.js';
import { showMail } from './use-cases/show-mail.js';

/** What the mailer offers. */
export function routes(deps: ListMailsDeps & ReplayMailDeps): readonly Route[] {
  return [
    route(mailerApi.listMails, listMails(deps)),
    route(mailerApi.showMail, showMail(deps)),
    route(mailerApi.replayMail, replayMail(deps)),
  ];
}
