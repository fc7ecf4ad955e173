/** Currencies whose smallest unit is not a hundredth, as the payment provider counts (its zero- and three-decimal currencies). */
const withoutDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const withThree = new Set('bhd jod kwd omr tnd'.split(' '));

/** `amount` in the currency's smallest unit, for people. A whole amount is shown without its zeros. */
export function money(amount: number, currency: string): string {
  const code = currency.toLowerCase();
  const decimals = withoutDecimals.has(code) ? 0 : withThree.has(code) ? 3 : 2;
  const value = amount / 10 ** decimals;
  const shown = Number.isInteger(value) ? 0 : decimals;
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(value);
}
