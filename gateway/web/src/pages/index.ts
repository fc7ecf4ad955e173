import type { ComponentType } from 'preact';
import type { PageProps } from '../app.js';
import type { RoutePattern } from '../routing/routes.js';
import { AccountPage } from './account/account.js';
import { ChangePasswordPage } from './change-password.js';
import { CheckoutPage } from './checkout.js';
import { ConfirmEmailPage } from './confirm-email.js';
import { ForgotPasswordPage } from './forgot-password.js';
import { LoginPage } from './login.js';
import { NotMePage } from './not-me.js';
import { PricingPage } from './pricing.js';

/** The pages that come with the first script: together they are smaller than a second request is worth. */
export const pageComponents: Record<Exclude<RoutePattern, `/admin${string}`>, ComponentType<PageProps>> = {
  '/login': LoginPage,
  '/forgot-password': ForgotPasswordPage,
  '/change-password': ChangePasswordPage,
  '/not-me': NotMePage,
  '/confirm-email': ConfirmEmailPage,
  '/account': AccountPage,
  '/pricing': PricingPage,
  '/checkout/:id': CheckoutPage,
};
