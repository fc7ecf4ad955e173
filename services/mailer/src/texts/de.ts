import type { Texts } from './texts.js';

export const de: Texts = {
  language: 'de',
  greeting: (name) => (name === '' ? 'Guten Tag,' : `Guten Tag ${name},`),
  openByHand: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse im Browser:',
  footer: (brand) => `${brand} hat diese E-Mail automatisch versandt. Antworten darauf werden nicht gelesen.`,

  passwordReset: ({ brand, asked, from, lifetime, until }) => ({
    subject: `Ihr Passwort für ${brand} zurücksetzen`,
    paragraphs: [
      from === null
        ? `ein Administrator von ${brand} hat Ihnen am ${asked} diesen Link senden lassen, damit Sie ein neues Passwort wählen können.`
        : `am ${asked} wurde von der Adresse ${from} aus ein neues Passwort für Ihr Konto bei ${brand} angefordert.`,
      'Über den Link können Sie ein neues Passwort wählen.',
    ],
    button: 'Neues Passwort wählen',
    notes: [`Der Link gilt einmal, ${lifetime} lang, bis ${until}.`],
    disown: {
      text: 'Das waren nicht Sie? Dann nehmen Sie die Anforderung zurück, und Ihr bisheriges Passwort gilt weiter:',
      link: 'Das war ich nicht',
    },
  }),

  passwordChanged: ({ brand, when, from }) => ({
    subject: `Ihr Passwort für ${brand} wurde geändert`,
    paragraphs: [
      `das Passwort Ihres Kontos bei ${brand} wurde am ${when} geändert${from === null ? '' : `, von der Adresse ${from} aus`}.`,
      'Wenn Sie das waren, ist nichts zu tun.',
    ],
    notes: [
      'Wenn Sie es nicht waren, nutzen Sie jetzt „Passwort vergessen“ auf der Anmeldeseite und benachrichtigen Sie Ihren Administrator.',
    ],
    disown: {
      text: 'Das waren nicht Sie? Dann beenden Sie sofort alle Sitzungen Ihres Kontos:',
      link: 'Das war ich nicht',
    },
  }),

  invitation: ({ brand, lifetime, until }) => ({
    subject: `Willkommen bei ${brand}: Passwort wählen`,
    paragraphs: [
      `für Sie wurde ein Konto bei ${brand} angelegt.`,
      'Wählen Sie ein Passwort, dann können Sie sich anmelden.',
    ],
    button: 'Passwort wählen',
    notes: [
      `Der Link gilt einmal, ${lifetime} lang, bis ${until}.`,
      'Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren.',
    ],
  }),

  emailConfirmation: ({ brand, asked, lifetime, until }) => ({
    subject: `Ihre neue E-Mail-Adresse für ${brand} bestätigen`,
    paragraphs: [
      `am ${asked} wurde angefordert, diese Adresse für ein Konto bei ${brand} zu verwenden.`,
      'Wenn Sie das waren, bestätigen Sie sie. Bis dahin gilt die bisherige Adresse weiter.',
    ],
    button: 'Adresse bestätigen',
    notes: [
      `Der Link gilt einmal, ${lifetime} lang, bis ${until}.`,
      'Wenn Sie es nicht waren, können Sie diese E-Mail ignorieren.',
    ],
  }),

  receipt: ({ brand, amount, when }) => ({
    subject: `Ihre Quittung von ${brand}`,
    paragraphs: [`vielen Dank. Wir haben Ihre Zahlung über ${amount} am ${when} erhalten.`],
    notes: ['Bitte bewahren Sie diese E-Mail auf. Nennen Sie bei Fragen zum Kauf die Bestellnummer.'],
    words: { total: 'Summe', order: 'Bestellnummer' },
  }),

  paymentFailed: ({ brand, amount }) => ({
    subject: `Ihre Zahlung an ${brand} ist fehlgeschlagen`,
    paragraphs: [
      `Ihre Zahlung über ${amount} wurde von Ihrer Bank oder Ihrem Zahlungsdienst abgelehnt. Es wurde nichts abgebucht.`,
    ],
    notes: ['Sie können jederzeit erneut kaufen, auf Wunsch mit einem anderen Zahlungsmittel.'],
    words: { total: 'Summe', order: 'Bestellnummer' },
  }),

  emailChanged: ({ brand, when }) => ({
    subject: `Ihre E-Mail-Adresse für ${brand} wurde geändert`,
    paragraphs: [
      `die E-Mail-Adresse Ihres Kontos bei ${brand} wurde am ${when} geändert. Ab jetzt melden Sie sich mit der neuen an, und E-Mails gehen dorthin.`,
      'Wenn Sie das waren, ist nichts zu tun.',
    ],
    notes: [
      'Wenn Sie es nicht waren, benachrichtigen Sie sofort Ihren Administrator: jemand anderes könnte Zugriff auf Ihr Konto haben.',
    ],
  }),
};
