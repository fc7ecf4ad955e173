import { type authApi, passwordResetRequested, type User } from '@latchkey/contracts';
import { type CallContext, clientNetwork, type Handler } from '@latchkey/kit';
import { newEvent } from '@latchkey/persistence';
import type { Dependencies } from '../dependencies.js';
import { confirmed } from '../domain/credential-changes.js';
import { linkLimits } from '../domain/limits.js';
import { withToken } from '../domain/link-token.js';
import { maskEmail } from '../domain/mask-email.js';
import { replaced } from '../domain/prior-password.js';
import { recipientOf } from '../domain/recipient.js';
import { mailedWithinAnHour, planReset } from '../domain/reset-plan.js';
import { touchDecoy } from '../models/decoy.js';
import { audit } from './audit.js';
import { type IssuedLink, issueLink } from './issue-link.js';

/** Every answer takes at least this long, in ms: what a mail sets in motion right after the write stays hidden behind it (S16). */
const answersAfter = 100;

/** Asks for a reset link; the bounded variant of api.md. One answer, one time, one write, whether or not anybody has the address. */
export function requestPasswordReset(deps: Dependencies): Handler<typeof authApi.requestPasswordReset> {
  return async ({ body: { email } }, context) => {
    await deps.windows.take(deps.limits.resetsOfAddress, clientNetwork(context.client.address));
    const account = deps.accountKey(email);
    const [userId] = await Promise.all([ask(deps, { account, email }, context), deps.pause(answersAfter)]);
    audit(deps, context, { action: 'request-reset', result: 'success', userId, account });
    return { message: `Your request was received: a reset link was sent to ${maskEmail(email)}.` };
  };
}

async function ask(
  deps: Dependencies,
  { account, email }: { account: string; email: string },
  context: CallContext,
): Promise<number | undefined> {
  await deps.crashPoint('reset.before-lookup');
  const { user } = await deps.users.findUserByEmail({ body: { email } }, context);
  const link = issueLink(deps, 'reset', deps.config.resetTokenTtl);
  await deps.crashPoint('reset.before-write');
  if (user) await writeReset(deps, user, link, context);
  else
    await touchDecoy(
      { decoys: deps.models.decoys, aggregates: deps.aggregates },
      account,
      deps.clock.now(),
      context.requestId,
    );
  await deps.crashPoint('reset.after-write');
  return user?.id;
}

/** Temporary marker, sealed prior hash, token hash and event are one write (S62). */
async function writeReset(deps: Dependencies, user: User, link: IssuedLink, context: CallContext): Promise<void> {
  const { requestedAt, expiresAt } = link.token;
  const now = requestedAt.getTime();
  const rules = { mode: deps.config.resetMode, links: linkLimits(deps.config.rateLimitScale) };
  await deps.credentials.changeOrCreate(
    user.id,
    (current) => {
      const plan = planReset(current, rules, now);
      if (!plan.mails) return { set: { askedAt: requestedAt } };
      const token = plan.disownable ? link.token : { ...link.token, disownHash: null };
      const event = newEvent(
        passwordResetRequested,
        {
          ...recipientOf(user, context.client.languages),
          sealedToken: link.sealedToken,
          sealedDisownToken: plan.disownable ? link.sealedDisownToken : null,
          expiresAt: expiresAt.toISOString(),
          requestedAt: requestedAt.toISOString(),
          requestedFrom: context.client.address,
          tokenHash: token.hash,
        },
        { notAfter: expiresAt },
      );
      const set = {
        ...confirmed(current),
        ...(plan.replaces ? replaced(current, now, expiresAt, deps.priorSeal) : {}),
        askedAt: requestedAt,
        linksMailedAt: [...mailedWithinAnHour(current, now), requestedAt],
        tokens: withToken(current.tokens, token, now),
      };
      return { set, events: [event] };
    },
    context.requestId,
  );
}
