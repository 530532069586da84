import { render } from 'preact';

import { App } from './app.tsx';
import { listenForKeys } from './lib/keyboard.ts';

import './style.css';
import './pages/agents/agents.css';
import './pages/skill/skill.css';

listenForKeys();
const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
