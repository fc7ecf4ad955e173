import { ConfigError, type Environment, loadConfig, settings } from '@latchkey/kit';
import type { Brand } from './templates/template.js';
import { loadTexts, type TextsByLanguage } from './texts/load-texts.js';

export interface MailerConfig {
  /** What links are built from. */
  readonly publicUrl: string;
  /** Stands for `<publicUrl>/change-password` in reset and invitation links. */
  readonly resetLinkUrl: string | null;
  /** `Name <address>` or an address. */
  readonly mailFrom: string;
  readonly sealingKeys: readonly string[];
  readonly retentionDays: number;
  readonly brand: Brand;
  /** Language of every mail; null: as the requester's Accept-Language wishes. */
  readonly language: string | null;
  /** The languages that mails are written in, and their words. */
  readonly texts: TextsByLanguage;
}

/** Throws `ConfigError` that names every fault. */
export function loadMailerConfig(environment: Environment): MailerConfig {
  const values = loadConfig(
    {
      publicUrl: settings.PUBLIC_URL,
      resetLinkUrl: settings.RESET_LINK_URL,
      mailFrom: settings.MAIL_FROM,
      sealingKeys: settings.SEALING_KEY,
      retentionDays: settings.RETENTION_DAYS,
      brandName: settings.BRAND_NAME,
      brandColor: settings.BRAND_COLOR,
      brandLogo: settings.BRAND_LOGO,
      language: settings.MAIL_LANGUAGE,
      textsFolder: settings.MAIL_TEXTS,
    },
    environment,
  );
  const texts = loadTexts(values.textsFolder ?? null);
  requireLanguage(values.language, texts);
  return {
    publicUrl: values.publicUrl,
    resetLinkUrl: values.resetLinkUrl ?? null,
    mailFrom: values.mailFrom,
    sealingKeys: values.sealingKeys,
    retentionDays: values.retentionDays,
    brand: { name: values.brandName, color: values.brandColor, logo: values.brandLogo ?? null },
    language: values.language ?? null,
    texts,
  };
}

function requireLanguage(language: string | undefined, texts: TextsByLanguage): void {
  if (language === undefined || Object.hasOwn(texts, language)) return;
  const message = `must be one of the languages that there are texts for: ${Object.keys(texts).join(', ')}`;
  throw new ConfigError([{ setting: 'MAIL_LANGUAGE', message }]);
}

/** The domain of the sender's address, for Message-IDs (RFC 5322 §3.6.4). */
export function domainOf(mailFrom: string): string {
  return /@([^\s<>@]+?)>?\s*$/.exec(mailFrom)?.[1] ?? 'localhost';
}
