import type { ComponentChildren } from 'preact';
import { settings } from '../settings.js';

/** The frame of every page: a way past the navigation, the brand, the ways that are open to all, the page itself. */
export function Layout({ wide, children }: { wide: boolean; children: ComponentChildren }) {
  return (
    <>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <header class="site-header">
        <div class={wide ? 'site-header-inner is-wide' : 'site-header-inner'}>
          <a class="brand" href="/account">
            {settings.brandLogo === null ? (
              <>
                <span class="brand-mark" aria-hidden="true">
                  {settings.brandName.charAt(0)}
                </span>
                <span class="brand-name">{settings.brandName}</span>
              </>
            ) : (
              <img class="brand-logo" src={settings.brandLogo} alt={settings.brandName} />
            )}
          </a>
          <nav class="site-nav" aria-label="Main">
            <a href="/pricing">Pricing</a>
            <a href="/account">Account</a>
          </nav>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
