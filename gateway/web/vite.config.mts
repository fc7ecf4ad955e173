import { defineConfig, type Plugin } from 'vite';
import { precompress } from './precompress.mjs';

/** What the gateway fills in when it serves the document (see gateway/src/pages/document.ts); `npm run dev:pages` shows these. */
const inDevelopment: Record<string, string> = {
  title: 'Development',
  brandName: 'Latchkey',
  settings: '{&quot;brandName&quot;:&quot;Latchkey&quot;,&quot;brandLogo&quot;:null,&quot;passwordMinLength&quot;:8}',
  icon: 'data:,',
  groundLight: '#f5f6f8',
  groundDark: '#0e1116',
};

const fillIn: Plugin = {
  name: 'fill-in-placeholders',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(/\{\{(\w+)\}\}/g, (_match, key: string) => inDevelopment[key] ?? ''),
};

/** Where `npm start` serves the API. */
const gateway = 'http://localhost:3000';

export default defineConfig({
  root: import.meta.dirname,
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  plugins: [fillIn, precompress],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // One style for all pages, so that a lazy page comes without a second one; nothing is inlined, since the policy forbids it.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: {
      // A navigation gets the page from here, everything else is the gateway's.
      '^/(?!@|src/|node_modules/|\\.\\./)': {
        target: gateway,
        bypass: ({ headers }) => (headers.accept?.includes('text/html') ? '/index.html' : undefined),
      },
    },
  },
});
