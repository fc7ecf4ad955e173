import { type Composing, type Content, required } from './template.js';

/** The "this was not me" link, in mails that came with a secret for it. */
export function disownAside(
  { text, link }: { text: string; link: string },
  { secrets, links, userId }: Composing,
): Pick<Content, 'aside'> {
  if (secrets.disownToken === undefined) return {};
  const url = links.disown(secrets.disownToken, required(userId, 'the user'));
  return { aside: { text, label: link, url } };
}
