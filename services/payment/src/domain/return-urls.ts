/**
 * Where the payment page sends the buyer. Built from configuration, never from the request (S56). With a front end of their own, a team gets the checkout's
 * id and the outcome as parameters; the outcome is what the buyer did, and the checkout itself is to be asked for the truth.
 */
export function returnUrls(
  config: { readonly publicUrl: string; readonly checkoutReturnUrl: string | undefined },
  checkoutId: string,
): { readonly successUrl: string; readonly cancelUrl: string } {
  if (config.checkoutReturnUrl === undefined)
    return { successUrl: `${config.publicUrl}/checkout/${checkoutId}`, cancelUrl: `${config.publicUrl}/pricing` };
  const to = (outcome: string) => {
    const url = new URL(config.checkoutReturnUrl as string);
    url.searchParams.set('checkout_id', checkoutId);
    url.searchParams.set('outcome', outcome);
    return url.toString();
  };
  return { successUrl: to('success'), cancelUrl: to('cancel') };
}
