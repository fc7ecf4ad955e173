import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../api/refusal.js';
import { useAction } from '../api/use-action.js';
import { Alert } from '../components/alert.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { Page } from '../components/page.js';
import { RefusalAlert } from '../components/refusal-alert.js';
import { forgetLinkSecret, type LinkSecret, takeLinkSecret } from '../routing/link-secret.js';

/**
 * A page behind a mailed link that one button spends. Opening it changes nothing, since mail programs and link scanners open links too.
 * `spend` gives the API's message. `done` and `dead`: the ways on, so that neither end is a dead one.
 */
export function SpendLink(props: {
  title: string;
  parameter: Parameters<typeof takeLinkSecret>[0];
  explanation: ComponentChildren;
  buttonLabel: string;
  spend(secret: LinkSecret): Promise<{ message: string }>;
  done: ComponentChildren;
  dead: ComponentChildren;
}) {
  const [secret] = useState(() => takeLinkSecret(props.parameter));
  const [isDead, setDead] = useState(secret === undefined);
  const [message, setMessage] = useState<string>();
  const action = useAction(async () => {
    if (!secret) return;
    try {
      setMessage((await props.spend(secret)).message);
    } catch (error) {
      if (!(error instanceof Refusal) || !deadLink.has(error.code)) throw error;
      setDead(true);
    }
    forgetLinkSecret();
  });

  return (
    <Page title={props.title}>
      <Card>
        {message !== undefined ? (
          <>
            <Alert tone="success" takesFocus>
              <p>{message}</p>
            </Alert>
            {props.done}
          </>
        ) : isDead ? (
          <>
            <Alert tone="warning" takesFocus>
              <p>This link is expired or already used.</p>
            </Alert>
            {props.dead}
          </>
        ) : (
          <>
            <RefusalAlert refusal={action.refusal} />
            {props.explanation}
            <Button size="wide" isBusy={action.isBusy} onClick={() => void action.run()}>
              {props.buttonLabel}
            </Button>
          </>
        )}
      </Card>
    </Page>
  );
}

/** What a mangled link is refused with counts as well: nothing else is in the request. */
const deadLink = new Set<Refusal['code']>(['link-invalid', 'validation-failed']);
