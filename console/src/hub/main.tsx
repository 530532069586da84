import { render } from 'preact';

import { listenForKeys } from '../lib/keyboard.ts';
import { HubApp } from './app.tsx';

import '../style.css';
import './hub.css';

listenForKeys();
const root = document.querySelector('#app');
if (root !== null) render(<HubApp />, root);
