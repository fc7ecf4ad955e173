// Shows the interface's document. Strict CSP: this is a file of its own, and nothing is inline.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  // No third party is asked whether the document is valid, and no link can make this page show another document.
  validatorUrl: null,
  queryConfigEnabled: false,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  // What is tried is tried here, also where this page was opened under another name than PUBLIC_URL's.
  requestInterceptor(request) {
    const { pathname, search } = new URL(request.url, location.href);
    request.url = `${location.origin}${pathname}${search}`;
    return request;
  },
});
