import type { Texts } from './texts.js';

export const en: Texts = {
  language: 'en',
  greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
  openByHand: 'If the button does not work, open this address in your browser:',
  footer: (brand) => `${brand} sent this mail automatically. Answers to it are not read.`,

  passwordReset: ({ brand, asked, from, lifetime, until }) => ({
    subject: `Reset your ${brand} password`,
    paragraphs: [
      from === null
        ? `an administrator of ${brand} had this link sent to you on ${asked}, so that you can set a new password.`
        : `a new password for your ${brand} account was asked for on ${asked}, from the address ${from}.`,
      'Follow the link to choose a new password.',
    ],
    button: 'Choose a new password',
    notes: [`The link works once, for ${lifetime}, until ${until}.`],
    disown: {
      text: 'This was not you? Then take the request back, and your present password goes on working:',
      link: 'This was not me',
    },
  }),

  passwordChanged: ({ brand, when, from }) => ({
    subject: `Your ${brand} password was changed`,
    paragraphs: [
      `the password of your ${brand} account was changed on ${when}${from === null ? '' : `, from the address ${from}`}.`,
      'If it was you, there is nothing to do.',
    ],
    notes: ['If it was not you, use "Forgot password" on the login page now, and tell your administrator.'],
    disown: {
      text: 'This was not you? Then end every session of your account at once:',
      link: 'This was not me',
    },
  }),

  invitation: ({ brand, lifetime, until }) => ({
    subject: `Welcome to ${brand}: set your password`,
    paragraphs: [`an account at ${brand} was made for you.`, 'Choose a password, and you can log in.'],
    button: 'Choose a password',
    notes: [
      `The link works once, for ${lifetime}, until ${until}.`,
      'If you did not expect this mail, you can ignore it.',
    ],
  }),

  emailConfirmation: ({ brand, asked, lifetime, until }) => ({
    subject: `Confirm your new email for ${brand}`,
    paragraphs: [
      `on ${asked} somebody asked to use this address for an account at ${brand}.`,
      'If it was you, confirm it. Until then the earlier address stays in use.',
    ],
    button: 'Confirm this address',
    notes: [`The link works once, for ${lifetime}, until ${until}.`, 'If it was not you, you can ignore this mail.'],
  }),

  receipt: ({ brand, amount, when }) => ({
    subject: `Your ${brand} receipt`,
    paragraphs: [`thank you. We received your payment of ${amount} on ${when}.`],
    notes: ['Please keep this mail. If you have a question about the purchase, name the order number.'],
    words: { total: 'Total', order: 'Order number' },
  }),

  paymentFailed: ({ brand, amount }) => ({
    subject: `Your payment to ${brand} did not go through`,
    paragraphs: [`your payment of ${amount} was refused by your bank or payment provider. Nothing was charged.`],
    notes: ['You can buy again at any time, with another means of payment if you like.'],
    words: { total: 'Total', order: 'Order number' },
  }),

  emailChanged: ({ brand, when }) => ({
    subject: `Your ${brand} email was changed`,
    paragraphs: [
      `the email of your ${brand} account was changed on ${when}. From now on you log in with the new one, and mails go there.`,
      'If it was you, there is nothing to do.',
    ],
    notes: ['If it was not you, tell your administrator at once: somebody else may have your account.'],
  }),
};
