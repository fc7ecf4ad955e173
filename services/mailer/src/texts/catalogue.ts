import { z } from 'zod';

const placeholder = /\{(\w+)\}/g;
const linkFacts = ['brand', 'asked', 'lifetime', 'until'] as const;
const purchaseFacts = ['brand', 'amount', 'when'] as const;

/** A text that may name these facts in braces, and no others. */
function text(...facts: readonly string[]) {
  return z
    .string()
    .min(1)
    .max(2000)
    .superRefine((value, context) => {
      for (const [whole, name = ''] of value.matchAll(placeholder)) {
        if (facts.includes(name)) continue;
        const known = facts.length > 0 ? facts.map((fact) => `{${fact}}`).join(', ') : 'none';
        context.addIssue({ code: 'custom', message: `${whole} is not a fact of this text; there are ${known}` });
      }
    });
}

function wording<const F extends readonly string[]>(facts: F, more: readonly string[] = []) {
  const texts = z.array(text(...facts, ...more)).min(1);
  return { subject: text(...facts), paragraphs: texts, notes: z.array(text(...facts)) };
}

const disown = z.strictObject({ text: text('brand'), link: text('brand') });
const words = z.strictObject({ total: text(), order: text() });
const byAdmin = <const F extends readonly string[]>(facts: F) => z.array(text(...facts)).min(1);

/** A language's file: everything that is language in the mails. Facts stand in braces; `{from}` is an address, `{when}`, `{asked}` and `{until}` are moments. */
export const catalogue = z.strictObject({
  greeting: text('name'),
  greetingWithoutName: text(),
  /** Stands before a link that is written out. */
  openByHand: text(),
  footer: text('brand'),
  passwordReset: z.strictObject({
    ...wording(linkFacts, ['from']),
    paragraphsByAdmin: byAdmin(linkFacts),
    button: text('brand'),
    disown,
  }),
  passwordChanged: z.strictObject({
    ...wording(['brand', 'when'], ['from']),
    paragraphsByAdmin: byAdmin(['brand', 'when']),
    disown,
  }),
  invitation: z.strictObject({ ...wording(linkFacts), button: text('brand') }),
  emailConfirmation: z.strictObject({ ...wording(linkFacts), button: text('brand') }),
  emailChanged: z.strictObject(wording(['brand', 'when'])),
  receipt: z.strictObject({ ...wording(purchaseFacts), words }),
  paymentFailed: z.strictObject({ ...wording(purchaseFacts), words }),
});
export type Catalogue = z.infer<typeof catalogue>;

/** A text with its facts put in, once: what a fact itself has in braces stays as it is. */
export function fill(template: string, facts: Readonly<Record<string, string | null>>): string {
  return template.replace(placeholder, (whole, name: string) => facts[name] ?? whole);
}
