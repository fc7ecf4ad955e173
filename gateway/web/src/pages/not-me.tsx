import { call } from '../api/call.js';
import { ButtonLink } from '../components/button.js';
import { SpendLink } from './spend-link.js';

export function NotMePage() {
  return (
    <SpendLink
      title="This was not me"
      parameter="disown_token"
      explanation={
        <p>
          Somebody asked to reset your password, or changed it. If that was not you, say so here: a reset is taken back
          and your earlier password works again; after a change, every session of your account ends.
        </p>
      }
      buttonLabel="This was not me"
      spend={({ token, userId }) => call('disownReset', { body: { disown_token: token, user_id: userId } })}
      done={
        <div class="stack">
          <ButtonLink href="/login" size="wide">
            Log in
          </ButtonLink>
          <ButtonLink href="/forgot-password" size="wide" variant="secondary">
            Set a new password
          </ButtonLink>
        </div>
      }
      dead={
        <>
          <p>
            If your password no longer works, set a new one. That ends every session of your account, whoever has it
            open.
          </p>
          <ButtonLink href="/forgot-password" size="wide">
            Set a new password
          </ButtonLink>
          <p class="aside">
            <a href="/login">Back to log in</a>
          </p>
        </>
      }
    />
  );
}
