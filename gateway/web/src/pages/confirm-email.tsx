import { call } from '../api/call.js';
import { ButtonLink } from '../components/button.js';
import { SpendLink } from './spend-link.js';

export function ConfirmEmailPage() {
  return (
    <SpendLink
      title="Confirm your email"
      parameter="confirm_token"
      explanation={<p>Confirm that this is your address. From then on you log in with it, and mails go there.</p>}
      buttonLabel="Confirm email"
      spend={({ token, userId }) => call('confirmEmail', { body: { confirm_token: token, user_id: userId } })}
      done={
        <ButtonLink href="/account" size="wide">
          Go to your account
        </ButtonLink>
      }
      dead={
        <>
          <p>If you have not confirmed the address yet, enter it in your account again: we mail you a new link.</p>
          <ButtonLink href="/account" size="wide">
            Go to your account
          </ButtonLink>
        </>
      }
    />
  );
}
