import { kept } from './kept.js';

/** Decimals of amounts as the payment provider counts them; two for every currency that is not named. ISK and UGX count as two there, whatever ISO 4217 says. */
const decimals: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 3])),
};

const moneyFormat = kept((language, currency) => new Intl.NumberFormat(language, { style: 'currency', currency }));

/** An amount in the currency's smallest unit, as people write it: "€12.50". */
export function moneyInWords(amount: number, currency: string, language: string): string {
  const code = currency.toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) return `${amount} ${code}`;
  return moneyFormat(language, code).format(amount / 10 ** (decimals[code] ?? 2));
}
