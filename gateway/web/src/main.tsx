import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/components.css';
import { render } from 'preact';
import { App } from './app.js';
import { followLinks } from './routing/navigation.js';

followLinks();
const root = document.querySelector('#app');
if (root) render(<App />, root);
